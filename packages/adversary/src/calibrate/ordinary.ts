import { execFileSync } from 'node:child_process';
import { rowPackMax } from '@packhouse/git';
import { maintainHostedRepo } from '@packhouse/hosting';
import { commandBody, pushBody, type HostileReply } from '@packhouse/fixtures/hostile';
import type { LocalService } from '../service/local-service.ts';

/** An ordinary client's step with an ordinary repository: that of this project. */
export interface OrdinaryStep {
  readonly name: string;
  readonly run: () => Promise<readonly HostileReply[]>;
}

const git = (args: readonly string[], input = ''): Buffer =>
  execFileSync('git', args, { cwd: import.meta.dirname, input, maxBuffer: 1 << 30 });

export async function ordinarySteps(service: LocalService): Promise<readonly OrdinaryStep[]> {
  const tip = git(['rev-parse', 'HEAD']).toString().trim();
  const older = git(['rev-parse', 'HEAD~20']).toString().trim();
  const pack = git(['pack-objects', '--revs', '--stdout', '-q'], `${tip}\n`);
  const next = git(['pack-objects', '--revs', '--stdout', '-q', '--thin'], `${tip}\n^${older}\n`);
  const first = git(['pack-objects', '--revs', '--stdout', '-q'], `${older}\n`);
  const repo = await service.target.createRepo();
  const other = await service.target.createRepo();
  const ref = 'refs/heads/main';
  const push = pushBody([{ ref, to: tip }], pack);
  const fetching = (lines: readonly string[]) => async (): Promise<readonly HostileReply[]> => [
    await repo.command(commandBody('fetch', [`want ${tip}`, 'ofs-delta', ...lines, 'done'])),
  ];
  return [
    { name: 'push of all history', run: async () => [await repo.push(push)] },
    { name: 'push of older history', run: async () => [await other.push(pushBody([{ ref, to: older }], first))] },
    {
      name: 'push of 20 commits, thin',
      run: async () => [await other.push(pushBody([{ ref, from: older, to: tip }], next))],
    },
    {
      name: 'the same pack again',
      run: async () => [await repo.push(pushBody([{ ref: 'refs/heads/b', to: tip }], pack))],
    },
    { name: 'clone', run: fetching([]) },
    { name: 'fetch of 20 commits', run: fetching(['thin-pack', `have ${older}`]) },
    { name: 'clone with depth 1', run: fetching(['deepen 1']) },
    { name: 'clone with depth 50', run: fetching(['deepen 50']) },
    { name: 'clone without blobs', run: fetching(['filter blob:none']) },
    { name: 'clone without trees', run: fetching(['filter tree:0']) },
    { name: 'log of 1,000', run: async () => [await repo.get('/log?limit=1000')] },
    { name: 'tree', run: async () => [await repo.get(`/tree/${git(['rev-parse', 'HEAD^{tree}']).toString().trim()}`)] },
    { name: 'raw', run: async () => [await repo.get('/raw/main/pnpm-lock.yaml')] },
    {
      name: 'fork',
      run: async () => [await repo.post('/fork', Buffer.from('{"name":"forked","default_branch_only":false}'))],
    },
    {
      name: 'maintenance',
      async run() {
        await maintainHostedRepo(service.engine, service.storage.repo('local', other.id, 'unrestricted'), {
          now: Date.now() + 86_400_000,
          grace: 86_400_000,
          retireGrace: 0,
          mergeMax: Number.MAX_SAFE_INTEGER,
          rowsMax: rowPackMax,
          quietMerge: { after: 60_000, alwaysMax: 64 * 1_048_576 },
          inUse: (id) => service.engine.leases.has(id),
          newId: () => crypto.randomUUID(),
        });
        return [];
      },
    },
  ];
}
