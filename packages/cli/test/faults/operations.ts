import type { Outbound } from '@packhouse/hosting';
import {
  blob,
  change,
  commit,
  pack,
  tree,
  type MadeCommit,
  type MadeObject,
} from '@packhouse/conformance/tools/made-objects';
import { remove, set, type Command } from '@packhouse/conformance/tools/wire-client';
import { repoPath } from '../kills/observe.ts';
import type { FaultyService } from './faulty-service.ts';

/** An operation during which a step fails. */
export interface Operation {
  readonly name: string;
  /** Resolves to true if the operation was acknowledged. Rejects otherwise. */
  run(service: FaultyService): Promise<boolean>;
  /** True if a client may repeat it when it cannot see whether it was done. */
  readonly isRepeatable?: boolean;
}

const main = 'refs/heads/main';
const minute = 60_000;
const day = 86_400_000;

/** Makes a commit whose file is too large for rows. It compresses well, but nothing compresses it. */
function largeChange(seed: number, parent?: MadeObject): MadeCommit {
  // The size of the pack counts every byte, and there is no time lost with compression.
  const bytes = Buffer.alloc(1_600_000);
  for (let at = 0, state = seed; at < bytes.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(state, at);
  }
  const file = blob(bytes);
  const root = tree({ file });
  const made = commit(`large ${seed}`, root, parent === undefined ? [] : [parent]);
  return { ...made, root, file, all: [made, root, file] };
}

const first = change('first');
const line = Array.from({ length: 4 }, (_, i) => i).reduce<MadeCommit[]>(
  (made, i) => [...made, change(`small ${i}`, made.at(-1) ?? first)],
  [],
);
const large = largeChange(1, line.at(-1) as MadeCommit);
const side = change('side', first);
const [smallNext, largeNext] = [change('small next', large), largeChange(2, large)];
const tip = large;

const repos = ['work', 'parent', 'remote', 'doomed'] as const;

/** Fills a service with everything that the operations need. */
export async function fill(service: FaultyService): Promise<void> {
  for (const repo of repos) {
    await make(service, repo, repoPath(), { name: repo });
    const pushes: (readonly [readonly Command[], readonly MadeObject[]])[] = [
      [
        [set(main, first), set('refs/heads/side', side)],
        [...first.all, ...side.all],
      ],
      ...line.map((one, i) => [[set(main, one, line[i - 1] ?? first)], one.all] as const),
      [[set(main, large, line.at(-1))], large.all],
      [[remove('refs/heads/side', side)], []],
    ];
    for (const [commands, objects] of pushes) {
      const sent = objects.length === 0 ? undefined : pack(...objects);
      if (!(await service.push(repo, commands, sent))) throw new Error(`no push to ${repo}`);
    }
  }
  await make(service, 'child', `${repoPath('parent')}/fork`, { name: 'child' });
  await put(service, { first: 'one', second: 'two' });
  await mint(service);
}

async function make(service: FaultyService, name: string, path: string, body: unknown): Promise<boolean> {
  const { status, result } = await service.rest('POST', path, body);
  if (status !== 201) return false;
  service.tokens.set(name, (result as { readonly token: string }).token);
  return true;
}

const worker = { resource_type: 'worker', resource_id: 'w' };

async function put(service: FaultyService, tags: Readonly<Record<string, string>>): Promise<boolean> {
  return (await service.rest('PUT', '/tags', { ...worker, tags })).status === 200;
}

async function mint(service: FaultyService): Promise<boolean> {
  const reply = await service.rest('POST', '/repos/namespaces/default/tokens', { repo: 'work', scope: 'read' });
  return reply.status === 201;
}

async function revoke(service: FaultyService): Promise<boolean> {
  const listed = await service.rest('GET', `${repoPath('work')}/tokens`);
  const token = (listed.result as { readonly id: string; readonly scope: string }[] | null)?.find(
    ({ scope }) => scope === 'read',
  );
  if (token === undefined) return false;
  return (await service.rest('DELETE', `/repos/namespaces/default/tokens/${token.id}`)).status === 200;
}

async function deleteRepo(service: FaultyService, repo: string): Promise<boolean> {
  return (await service.rest('DELETE', repoPath(repo))).status === 202;
}

export const operations: readonly Operation[] = [
  { name: 'creation', run: (service) => make(service, 'new', repoPath(), { name: 'new', default_branch: 'trunk' }) },
  {
    name: 'push in rows',
    run: (service) => service.push('work', [set(main, smallNext, tip)], pack(...smallNext.all)),
  },
  {
    name: 'push in files',
    run: (service) => service.push('work', [set(main, largeNext, tip)], pack(...largeNext.all)),
  },
  {
    name: 'update of refs',
    run: (service) =>
      service.push('work', [set('refs/heads/a', first), set('refs/tags/b', tip), set(main, first, tip)], pack()),
  },
  { name: 'deletion of a ref', run: (service) => service.push('work', [remove(main, tip)]) },
  {
    name: 'fork',
    run: (service) =>
      make(service, 'forked', `${repoPath('parent')}/fork`, { name: 'forked', default_branch_only: false }),
  },
  {
    name: 'import',
    run: (service) =>
      make(service, 'imported', `${repoPath('imported')}/import`, { url: 'https://git.example.com/remote.git' }),
  },
  { name: 'deletion', run: (service) => deleteRepo(service, 'doomed') },
  { name: 'deletion of a parent', run: (service) => deleteRepo(service, 'parent') },
  { name: 'token', run: mint },
  { name: 'revocation', run: revoke },
  { name: 'tags', run: (service) => put(service, { second: 'changed', third: 'new' }) },
  {
    name: 'removal of tags',
    run: async (service) => (await service.rest('DELETE', '/tags', worker)).status === 204,
  },
  {
    name: 'maintenance',
    isRepeatable: true,
    async run(service) {
      // Merges, then collects the objects of `side`, then removes the replaced packs.
      for (const later of [minute, 2 * day, 2 * day + 10 * minute]) {
        service.now = Math.max(service.now, service.started + later);
        await service.maintain();
      }
      return true;
    },
  },
  {
    name: 'erasure',
    isRepeatable: true,
    async run(service) {
      if (!(await deleteRepo(service, 'doomed')) && !(await isGone(service, 'doomed'))) return false;
      service.now = service.started + 2 * day;
      await service.sweep();
      return true;
    },
  },
];

async function isGone(service: FaultyService, repo: string): Promise<boolean> {
  return (await service.rest('GET', repoPath(repo))).status === 404;
}

/** Lets a service import the repo `remote` of another one. */
export function importsFrom(other: FaultyService): Outbound {
  return {
    lookup: async () => ['93.184.215.14'],
    fetch: async (request) => {
      const { remote, token } = other.remote('remote');
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${token}`);
      const target = remote + pathname.slice('/remote.git'.length) + search;
      const body = request.body === null ? undefined : await request.arrayBuffer();
      return other.fetch(new Request(target, { method: request.method, headers, ...(body && { body }) }));
    },
  };
}
