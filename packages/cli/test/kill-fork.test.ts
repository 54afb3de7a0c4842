import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiToken, runCli, startServer, type KillableServer } from './support/killable-server.ts';
import { createRepo, pushFrom } from './support/pushed-repo.ts';

const roundsOf = { node: 10, deno: 4, bun: 4 } as const;
/** Longer than a fork or a deletion takes here, so that kills fall on every stage and some come too late. */
const longestDelay = 30;

let folder: string;
let data: string;
let work: string;
let server: KillableServer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-kill-fork-'));
  data = join(folder, 'data');
  work = join(folder, 'work');
  runGit(['init', '--quiet', '--initial-branch=main', work]);
});

afterEach(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly result: { readonly plaintext?: string } | null;
}

/** `path`: below the namespace. */
async function send(method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${server.url}/v4/accounts/local/repos/namespaces/default${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, result: ((await response.json()) as Reply).result };
}

/** The reply, unless the server went away before. */
async function seen(reply: Promise<Reply>): Promise<Reply | undefined> {
  return reply.catch(() => undefined);
}

function fork(parent: string, name: string): Promise<Reply> {
  return send('POST', `/repos/${parent}/fork`, { name, default_branch_only: false });
}

/** Pushes a commit of a file of that size; its id. */
async function push(repo: Parameters<typeof pushFrom>[1], name: string, size: number): Promise<string> {
  writeFileSync(join(work, name), randomBytes(size));
  runGit(['add', '.'], { cwd: work });
  runGit(['commit', '--quiet', '-m', name], { cwd: work });
  expect(await pushFrom(work, repo, 'main')).toBe(true);
  return runGit(['rev-parse', 'HEAD'], { cwd: work }).toString().trim();
}

/** Clones a repo with a token made for it, and expects that it is whole. */
async function expectWhole(name: string, value: string, about: string): Promise<void> {
  const minted = await send('POST', '/tokens', { repo: name, scope: 'read' });
  expect(minted.status, about).toBe(201);
  const clone = join(folder, 'clone.git');
  const header = `http.extraHeader=Authorization: Bearer ${minted.result?.plaintext}`;
  const remote = `${server.url}/git/local/default/${name}.git`;
  runGit(['-c', header, 'clone', '--quiet', '--bare', remote, clone]);
  runGit(['fsck', '--strict', '--full'], { cwd: clone });
  expect(runGit(['rev-parse', 'refs/heads/main'], { cwd: clone }).toString().trim(), about).toBe(value);
  rmSync(clone, { recursive: true });
}

async function expectSound(about: string): Promise<void> {
  const doctor = await runCli(['doctor', '--data', data]);
  expect(doctor.status, `${about}: ${doctor.stdout}${doctor.stderr}`).toBe(0);
}

describe('a server killed during a fork or a deletion', () => {
  it.each((['node', 'deno', 'bun'] as const).map((runtime) => [runtime, roundsOf[runtime]] as const))(
    '%s, REPO-123, REPO-133, REPO-118: has all of each repo or nothing, in each of %i rounds, and nothing else at the end',
    async (runtime, rounds) => {
      server = await startServer(data, 0, runtime);
      const port = Number(new URL(server.url).port);
      const first = await createRepo(server);
      let parent = 'killed';
      // One pack lies in files, which are shared, the other in rows, which are copied.
      await push(first, 'large', 2_000_000);
      const value = await push(first, 'small', 2_000);
      let cut = 0;
      for (let round = 0; round < rounds; round++) {
        const isLast = round >= rounds - 2;
        const name = `fork-${round}`;
        const delay = round < 2 ? 0 : Math.random() * longestDelay;
        const about = `round ${round} after ${delay} ms`;
        // In every other round the parent of a fork goes, and the fork is what goes on.
        const isDeletion = round % 2 === 1;
        if (isDeletion) expect((await fork(parent, name)).status, about).toBe(201);
        const next = isDeletion ? name : parent;
        const asked = seen(isDeletion ? send('DELETE', `/repos/${parent}`) : fork(parent, name));
        await (isLast ? asked : wait(delay));
        await server.kill();
        const reply = await asked;
        if (reply === undefined) cut++;
        await expectSound(about);
        server = await startServer(data, port, runtime);
        const { status } = await send('GET', `/repos/${isDeletion ? parent : name}`);
        if (reply !== undefined) {
          expect([reply.status, status], about).toEqual(isDeletion ? [202, 404] : [201, 200]);
        }
        await expectWhole(next, value, about);
        if (isDeletion) {
          if (status === 200) expect((await send('DELETE', `/repos/${parent}`)).status, about).toBe(202);
          parent = next;
        } else {
          if (status === 200) await expectWhole(name, value, about);
          else expect((await fork(parent, name)).status, `${about}: the name is free`).toBe(201);
          expect((await send('DELETE', `/repos/${name}`)).status, about).toBe(202);
        }
      }
      await expectWhole(parent, value, 'at the end');
      expect(cut).toBeGreaterThan(0);
      expect(cut).toBeLessThan(rounds);
      expect((await send('DELETE', `/repos/${parent}`)).status).toBe(202);
      expect(await server.stop()).toBe(0);
      await expectSound('at the end');
      expect(globSync(join(data, 'packs', '**', '*.{pack,idx,graph}')), 'no bytes are left').toEqual([]);
    },
    180_000,
  );
});
