/**
 * Maintenance beside stock clients, over HTTP (GIT-127, LIM-064): it takes the data folder to see what is kept, and
 * settings that make it come often.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchBody, packOf, post } from '@packhouse/conformance/tools/wire-client';
import { contents, git, tryGit } from '../support/git.ts';
import { packsOf, packsUntil } from '../support/packs-of.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer({ settings: { gc_grace: 1, stale_want_grace: 0 } });
  folder = makeFolder();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
  removeFolder(folder);
});

async function newWork(name: string): Promise<string> {
  const work = join(folder, name);
  await git(['init', '--quiet', '--initial-branch=main', work]);
  return work;
}

async function commit(work: string, file: string, bytes: Uint8Array | string): Promise<string> {
  writeFileSync(join(work, file), bytes);
  await git(['add', '.'], { cwd: work });
  await git(['commit', '--quiet', '-m', file], { cwd: work });
  return (await git(['rev-parse', 'HEAD'], { cwd: work })).trim();
}

function push(work: string, repo: TestRepo, ...refs: string[]): Promise<string> {
  return git([...repo.auth, 'push', '--quiet', repo.remote, ...refs], { cwd: work });
}

async function expectClone(work: string, repo: TestRepo, name: string): Promise<void> {
  const clone = join(folder, name);
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
  await git(['fsck', '--full', '--strict'], { cwd: clone });
  expect(await contents(clone)).toEqual(await contents(work));
}

it('keeps few packs of many pushes, while others push and fetch', async () => {
  const repo = await server.createRepo('many');
  const pushes = 40;
  const pushers = await Promise.all(['one', 'two'].map((name) => newWork(`many-${name}`)));
  const running = new Set(pushers);
  const pushing = pushers.map(async (work, i) => {
    await git(['switch', '--quiet', '--orphan', `branch-${i}`], { cwd: work });
    for (let number = 0; number < pushes; number++) {
      await commit(work, `file-${number % 5}`, `${i} ${number}\n`.repeat(200));
      await push(work, repo, `branch-${i}`);
    }
    running.delete(work);
  });
  const fetching = async (): Promise<void> => {
    const mirror = join(folder, 'many-mirror.git');
    await git(['init', '--quiet', '--bare', mirror]);
    for (let round = 0; running.size > 0; round++) {
      await git([...repo.auth, 'fetch', '--quiet', repo.remote, '+refs/heads/*:refs/heads/*'], { cwd: mirror });
      const clone = join(folder, `many-clone-${round}`);
      await expectClone(mirror, repo, `many-clone-${round}`).catch(async (error: unknown) => {
        if (!existsSync(clone)) throw error;
        // A push came between the two: then it has more, and nothing is missing.
        await git(['fsck', '--full', '--strict'], { cwd: clone });
      });
    }
  };
  await Promise.all([...pushing, fetching()]);
  const kept = await packsUntil(server.data, repo.id, ({ packs, replaced }) => packs <= 8 && replaced === 0);
  // Small packs at the end may hold again what their deltas lean on.
  expect(kept.objects).toBeGreaterThanOrEqual(2 * pushes * 3);
  expect(kept.objects).toBeLessThan(3 * pushes * 3);
  const all = join(folder, 'many-all.git');
  await git(['init', '--quiet', '--bare', all]);
  for (const work of pushers) await git(['fetch', '--quiet', work, '+refs/heads/*:refs/heads/*'], { cwd: all });
  await expectClone(all, repo, 'many-last');
  expect(server.failures).toEqual([]);
}, 180_000);

it('GIT-127, LIM-012, LIM-064: objects of a deleted branch are unreadable at once, and gone from the packs after the grace', async () => {
  const repo = await server.createRepo('deleted');
  const work = await newWork('deleted');
  const first = await commit(work, 'kept', 'kept\n');
  await push(work, repo, 'main');
  await git(['switch', '--quiet', '-c', 'gone'], { cwd: work });
  const gone = await commit(work, 'secret', randomBytes(3_000_000));
  const blob = (await git(['rev-parse', 'HEAD:secret'], { cwd: work })).trim();
  await push(work, repo, 'gone');
  // The catalog is written up to a second later.
  await expect.poll(() => packsOf(server.data, repo.id).listedBytes).toBeGreaterThan(3_000_000);
  const before = packsOf(server.data, repo.id);
  expect(before.objects).toBe(6);
  expect(before.bytes).toBeGreaterThan(3_000_000);
  expect(before.listedBytes).toBe(before.bytes);

  await push(work, repo, ':gone');
  const unreadable = async (): Promise<void> => {
    for (const id of [gone, blob]) {
      const { stderr } = await tryGit([...repo.auth, 'fetch', repo.remote, id], { cwd: await newWork(`no-${id}`) });
      expect(stderr).toMatch(/not our ref/);
    }
  };
  await unreadable();
  const after = await packsUntil(server.data, repo.id, ({ objects }) => objects === 3);
  await unreadable();
  expect(after.packs).toBe(1);
  const left = await packsUntil(server.data, repo.id, ({ replaced }) => replaced === 0);
  expect(left.bytes).toBeLessThan(10_000);
  expect(left.listedBytes).toBeLessThan(10_000);
  const { body } = await post(repo, fetchBody([first], []));
  expect(packOf(body).subarray(8, 12)).toEqual(Buffer.of(0, 0, 0, 3));
  // A push of the same again brings it back whole.
  await push(work, repo, 'gone');
  await git(['branch', '--quiet', '-f', 'main', first], { cwd: work });
  await expectClone(work, repo, 'deleted-clone');
}, 120_000);

/** Begins to read a reply to a fetch, and answers what reads the rest. */
async function beginFetch(repo: TestRepo, body: Buffer): Promise<() => Promise<Buffer>> {
  const headers = {
    authorization: `Bearer ${repo.token}`,
    'content-type': 'application/x-git-upload-pack-request',
    'git-protocol': 'version=2',
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(`${repo.remote}/git-upload-pack`, { method: 'POST', headers, agent: false }, resolve);
    request.on('error', reject);
    request.end(body);
  });
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    response.once('data', (chunk: Buffer) => {
      response.pause();
      chunks.push(chunk);
      resolve();
    });
  });
  return async () => {
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  };
}

it('a clone that began before a merge and a collection reads its packs to the end, which are removed after it', async () => {
  const repo = await server.createRepo('slow');
  const work = await newWork('slow');
  const tips: string[] = [];
  for (let i = 0; i < 8; i++) {
    tips.push(await commit(work, `file-${i}`, randomBytes(4_000_000)));
    await push(work, repo, 'main');
  }
  await packsUntil(server.data, repo.id, ({ packs, replaced }) => packs < 5 && replaced === 0);
  const rest = await beginFetch(repo, fetchBody([tips.at(-1) as string], []));
  await push(work, repo, `+${tips[3]}:refs/heads/main`);
  for (let i = 0; i < 12; i++) {
    await commit(work, `small-${i}`, `${i}\n`);
    await push(work, repo, '+HEAD:refs/heads/other');
  }
  await push(work, repo, ':other');
  // What the clone reads is replaced, all of it, and more than the grace is over.
  await packsUntil(server.data, repo.id, ({ objects }) => objects === 4 * 3);
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(packsOf(server.data, repo.id).bytes).toBeGreaterThan(8 * 4_000_000 + 4 * 4_000_000);

  const client = join(folder, 'slow-client.git');
  await git(['init', '--quiet', '--bare', client]);
  await git(['index-pack', '--stdin', '--strict'], { cwd: client, input: packOf(await rest()) });
  expect(
    (await git(['rev-list', '--objects', tips.at(-1) as string], { cwd: client })).trim().split('\n'),
  ).toHaveLength(24);
  const left = await packsUntil(server.data, repo.id, ({ replaced }) => replaced === 0);
  expect(left.bytes).toBeLessThan(17_000_000);
}, 180_000);
