import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { apiToken } from './support/killable-server.ts';
import { createRepo } from './support/pushed-repo.ts';
import { serviceToKill, type ServiceToKill } from './support/service-to-kill.ts';

const eachRuntime = killRounds({ node: 3, deno: 1, bun: 1 }, { node: 20, deno: 5, bun: 5 });
const programs = process.env['PACKHOUSE_KILLS'] === undefined ? 12 : 50;
/** Milliseconds until a kill, so that each comes during some commits. */
const longestLoad = 1_500;

let service: ServiceToKill;

beforeEach(() => {
  service = serviceToKill('kill-commits');
});

afterEach(() => service.end());

/** One commit that a program wants, until a reply says that it is there. */
interface Wanted {
  readonly message: string;
  readonly path: string;
  /** The head that it goes on; undefined: any. */
  readonly expected?: string | undefined;
}

/** Sends a commit. Resolves to its id, to `refused`, or to undefined without a whole reply: the server was killed. */
async function send({ message, path, expected }: Wanted): Promise<string | undefined> {
  const response = await fetch(
    `${service.server.url}/v4/accounts/local/repos/namespaces/default/repos/killed/commits`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiToken}`,
        'content-type': 'application/json',
        'idempotency-key': `"${path}"`,
      },
      body: JSON.stringify({
        branch: 'main',
        message,
        author: { name: 'A', email: 'a@example.com', time: 1_700_000_000 },
        changes: [{ op: 'put', path, content: `${message}\n` }],
        ...(expected === undefined ? {} : { expected_head: expected }),
      }),
    },
  ).catch(() => undefined);
  const reply = await response?.json().catch(() => undefined);
  if (reply === undefined || response === undefined) return undefined;
  const { result, errors } = reply as Reply;
  if (result !== null) return result.commit;
  expect([409, 429, 503], JSON.stringify(reply)).toContain(response.status);
  expect(errors[0]?.reason, JSON.stringify(reply)).not.toBe('ref_refused');
  return 'refused';
}

interface Reply {
  readonly result: { readonly commit: string } | null;
  readonly errors: readonly { readonly reason: string }[];
}

async function head(): Promise<string | undefined> {
  const url = `${service.server.url}/v4/accounts/local/repos/namespaces/default/repos/killed/refs/heads/main`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiToken}` } }).catch(() => undefined);
  const reply = (await response?.json().catch(() => undefined)) as { result: { hash: string } | null } | undefined;
  return reply?.result?.hash;
}

describe('a server killed while programs commit to one branch', () => {
  it.each(eachRuntime)(
    '%s, REPO-254, REPO-255, REPO-259: has each acknowledged commit once, after %i kills and retries by key',
    async (runtime, rounds) => {
      const repo = await createRepo(await service.start(runtime));
      const acknowledged = new Map<string, string>();
      let number = 0;
      const next = (program: number): Wanted => {
        const message = `program ${program}, commit ${number++}`;
        return { message, path: `${program}/${number}.txt` };
      };
      const wanted = Array.from({ length: programs }, (_, program) => next(program));
      /** Half of the programs name the head that they have read; the others commit on any. */
      const attempt = async (program: number): Promise<void> => {
        const one = wanted[program] as Wanted;
        const commit = await send(one);
        // Without a reply, the same request is sent again.
        if (commit === undefined) return void (await wait(1));
        if (commit !== 'refused') acknowledged.set(one.message, commit);
        const again = commit === 'refused' ? one : next(program);
        wanted[program] = { ...again, expected: program % 2 === 0 ? undefined : await head() };
      };
      const work = async (program: number, isOver: () => boolean): Promise<void> => {
        while (!isOver()) await attempt(program);
      };
      for (let round = 0; round < rounds; round++) {
        let isOver = false;
        const before = acknowledged.size;
        const working = wanted.map((_, program) => work(program, () => isOver));
        // Each round has commits, even on a slow machine.
        while (acknowledged.size < before + programs / 2) await wait(5);
        await wait(Math.random() * longestLoad);
        isOver = true;
        await service.server.kill();
        await Promise.all(working);
        await service.examine(`round ${round}`);
        await service.start(runtime);
      }
      // What had no reply is sent again, until all programs have what they wanted.
      const left = wanted.map(({ message }) => message);
      const finish = async (program: number): Promise<void> => {
        while (wanted[program]?.message === left[program]) await attempt(program);
      };
      await Promise.all(wanted.map((_, program) => finish(program)));
      const clone = join(service.folder, 'clone.git');
      runGit([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
      runGit(['fsck', '--full', '--strict'], { cwd: clone });
      const log = runGit(['log', '--format=%H %s', 'main'], { cwd: clone }).toString().trim().split('\n');
      const expected = [...acknowledged].map(([message, commit]) => `${commit} ${message}`);
      expect(log.toSorted()).toEqual(expected.toSorted());
    },
    600_000,
  );
});
