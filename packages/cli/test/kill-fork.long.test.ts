import { randomBytes } from 'node:crypto';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { killRounds } from './support/kill-rounds.ts';
import { createRepo, pushFrom } from './support/pushed-repo.ts';
import { serviceToKill, type RestReply, type ServiceToKill } from './support/service-to-kill.ts';

const eachRuntime = killRounds({ node: 6, deno: 4, bun: 4 }, { node: 10, deno: 4, bun: 4 });
/** Longer than a fork or a deletion takes here, so that kills hit every stage and some come too late. */
const longestDelay = 30;

let service: ServiceToKill;

beforeEach(() => {
  service = serviceToKill('kill-fork');
});

afterEach(() => service.end());

const send: ServiceToKill['rest'] = (...asked) => service.rest(...asked);

/** Returns the reply; undefined if the server ended before. */
async function seen(reply: Promise<RestReply>): Promise<RestReply | undefined> {
  return reply.catch(() => undefined);
}

function fork(parent: string, name: string): Promise<RestReply> {
  return send('POST', `/repos/${parent}/fork`, { name, default_branch_only: false });
}

/** Pushes a commit with a file of that size. Returns its id. */
async function push(repo: Parameters<typeof pushFrom>[1], name: string, size: number): Promise<string> {
  const value = service.commit(name, randomBytes(size));
  expect(await pushFrom(service.work, repo, 'main')).toBe(true);
  return value;
}

/** Clones a repo with a new token, and expects that it is complete. */
async function expectWhole(name: string, value: string, about: string): Promise<void> {
  const minted = await send('POST', '/tokens', { repo: name, scope: 'read' });
  expect(minted.status, about).toBe(201);
  const clone = join(service.folder, 'clone.git');
  const header = `http.extraHeader=Authorization: Bearer ${minted.result?.['plaintext']}`;
  const remote = `${service.server.url}/git/local/default/${name}.git`;
  runGit(['-c', header, 'clone', '--quiet', '--bare', remote, clone]);
  runGit(['fsck', '--strict', '--full'], { cwd: clone });
  expect(runGit(['rev-parse', 'refs/heads/main'], { cwd: clone }).toString().trim(), about).toBe(value);
  rmSync(clone, { recursive: true });
}

describe('a server killed during a fork or a deletion', () => {
  it.each(eachRuntime)(
    '%s, REPO-123, REPO-133, REPO-118: has each repo complete or not at all, in each of %i rounds, and nothing else at the end',
    async (runtime, rounds) => {
      const first = await createRepo(await service.start(runtime));
      let parent = 'killed';
      // One pack is in files, which are shared, the other in rows, which are copied.
      await push(first, 'large', 2_000_000);
      const value = await push(first, 'small', 2_000);
      let cut = 0;
      for (let round = 0; round < rounds; round++) {
        const isLast = round >= rounds - 2;
        const name = `fork-${round}`;
        const delay = round < 2 ? 0 : Math.random() * longestDelay;
        const about = `round ${round} after ${delay} ms`;
        // Every other round deletes the parent of a fork, and the fork takes its place.
        const isDeletion = round % 2 === 1;
        if (isDeletion) expect((await fork(parent, name)).status, about).toBe(201);
        const next = isDeletion ? name : parent;
        const asked = seen(isDeletion ? send('DELETE', `/repos/${parent}`) : fork(parent, name));
        await (isLast ? asked : wait(delay));
        await service.server.kill();
        const reply = await asked;
        if (reply === undefined) cut++;
        await service.examine(about);
        await service.start(runtime);
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
      expect(await service.server.stop()).toBe(0);
      await service.examine('at the end');
      expect(globSync(join(service.data, 'packs', '**', '*.{pack,idx,graph}')), 'no bytes are left').toEqual([]);
    },
    180_000,
  );
});
