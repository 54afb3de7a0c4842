import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository } from './support/git.ts';
import { startLocalService, type LocalService, type TestRepo } from './support/local-service.ts';

let service: LocalService;

beforeAll(async () => {
  service = await startLocalService();
});

afterAll(() => service.close());

type Line = LocalService['lines'][number];

const patience = { timeout: 30_000 };
const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Pushes 6 MB, half of it on a second branch. */
async function pushed(name: string): Promise<{ readonly repo: TestRepo; readonly work: string }> {
  const repo = await service.createRepo(name);
  const work = await newRepository();
  folders.push(work);
  for (const file of ['one', 'two']) await commitFile(work, file, 1_500_000);
  await git(['checkout', '-q', '-b', 'side'], work);
  for (const file of ['three', 'four']) await commitFile(work, file, 1_500_000);
  await git(['push', '-q', repo.remote, 'main', 'side'], work);
  return { repo, work };
}

/** Clones, and returns the line of the request with the pack. */
async function clone(
  repo: TestRepo,
  ...options: readonly string[]
): Promise<{ readonly line: Line; readonly tip: string }> {
  const from = service.lines.length;
  const target = await newRepository();
  folders.push(target);
  await rm(target, { recursive: true });
  await git(['clone', '-q', '--single-branch', ...options, repo.remote, target]);
  await git(['fsck', '--strict', '--connectivity-only'], target);
  const line = (await service.requests('/git-upload-pack', 2, from)).at(-1) as Line;
  return { line, tip: (await git(['rev-parse', 'HEAD'], target)).trim() };
}

const prepared = (): readonly Line[] => service.lines.filter(({ event }) => event === 'prepare');

/** Names of the files that the bucket has. */
const stored = (): readonly string[] =>
  readdirSync(service.folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('/blobs/'));

/** Clones with a depth of 1, and waits until the pack of that is stored. */
async function cloneFirst(repo: TestRepo): Promise<string> {
  const [lines, files] = [prepared().length, stored().length];
  const { line, tip } = await clone(repo, '--depth', '1');
  expect(line).toMatchObject({ r2_a: 0, object_calls: 2 });
  await expect.poll(() => prepared().length, patience).toBe(lines + 1);
  expect(prepared().at(-1)).toMatchObject({ level: 'info', r2_a: 1, object_calls: 3 });
  expect(stored()).toHaveLength(files + 1);
  return tip;
}

async function cloneAgain(repo: TestRepo): Promise<string> {
  const { line, tip } = await clone(repo, '--depth', '1');
  expect(line).toMatchObject({ r2_a: 0, r2_b: 1, object_calls: 2 });
  return tip;
}

it('GIT-187, LIM-071: the second clone is one read of the bucket, and the branch is followed', async () => {
  const { repo, work } = await pushed('followed');
  const first = await cloneFirst(repo);
  expect(await cloneAgain(repo)).toBe(first);
  await git(['push', '-q', '--force', repo.remote, 'side~1:main'], work);
  const next = (await git(['rev-parse', 'side~1'], work)).trim();
  expect(await cloneFirst(repo)).toBe(next);
  expect(await cloneAgain(repo)).toBe(next);
  // The pack of before is still there, and answers only for its commit.
  await git(['push', '-q', '--force', repo.remote, `${first}:main`], work);
  expect(await cloneAgain(repo)).toBe(first);
});

it('REPO-118: a deleted repository takes its prepared packs with it', async () => {
  const before = stored().length;
  const { repo } = await pushed('deleted');
  await cloneFirst(repo);
  expect((await service.rest('DELETE', '/namespaces/default/repos/deleted')).status).toBeLessThan(300);
  await expect.poll(() => stored().length, patience).toBe(before);
});

it('GIT-187: a prepared pack is found when workerd was killed', async () => {
  const { repo } = await pushed('killed');
  const first = await cloneFirst(repo);
  const { pid } = JSON.parse(readFileSync(join(service.folder, 'workerd.json'), 'utf8')) as { pid: number };
  process.kill(pid, 'SIGKILL');
  const isUp = (): Promise<boolean> =>
    fetch(`${service.url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, patience).toBe(true);
  const count = prepared().length;
  const { line, tip } = await clone(repo, '--depth', '1');
  expect(tip).toBe(first);
  // The graph and the index of the repository, and the pack.
  expect(line).toMatchObject({ r2_a: 0, r2_b: 3 });
  expect(prepared()).toHaveLength(count);
  expect(service.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
