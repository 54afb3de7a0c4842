/** Packs that are prepared for the next clones: what stock Git gets, and the files in the data folder. */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git as stockGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = makeFolder();
});
afterAll(async () => {
  await server.close();
  removeFolder(folder);
  expect(server.failures).toEqual([]);
});

/** A pack is prepared beside other work. */
const patience = { timeout: 30_000 };

const git = (cwd: string, ...args: readonly string[]): Promise<string> => stockGit(args, { cwd });

const filesOf = ({ id }: TestRepo): string[] => {
  const path = join(server.data, 'packs/local', id);
  return existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.pack')) : [];
};

/** Makes a repository of 6 MB, half of it on a second branch. */
async function made(name: string): Promise<{ readonly repo: TestRepo; readonly work: string }> {
  const repo = await server.createRepo(name);
  const work = join(folder, name);
  await git(folder, 'init', '-q', '-b', 'main', work);
  for (const branch of ['main', 'side']) {
    if (branch === 'side') await git(work, 'checkout', '-q', '-b', 'side');
    for (const file of ['one', 'two']) {
      writeFileSync(join(work, file), randomBytes(1_500_000));
      await git(work, 'add', '.');
      await git(work, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', `${branch} ${file}`);
    }
  }
  await git(work, ...repo.auth, 'push', '-q', repo.remote, 'main', 'side');
  return { repo, work };
}

async function clone({ auth, remote }: TestRepo, ...options: readonly string[]): Promise<string> {
  const target = join(folder, 'clone');
  rmSync(target, { recursive: true, force: true });
  await git(folder, ...auth, 'clone', '-q', '--single-branch', ...options, remote, target);
  await git(target, 'fsck', '--strict', '--connectivity-only');
  return (await git(target, 'rev-parse', 'HEAD')).trim();
}

it('GIT-187: the second clone is sent from a stored pack, and the branch is followed', async () => {
  const { repo, work } = await made('followed');
  expect(filesOf(repo)).toHaveLength(1);
  const first = await clone(repo, '--depth', '1');
  await expect.poll(() => filesOf(repo).length, patience).toBe(2);
  expect(await clone(repo, '--depth', '1')).toBe(first);
  expect(filesOf(repo)).toHaveLength(2);
  await git(work, ...repo.auth, 'push', '-q', '--force', repo.remote, 'side~1:main');
  const next = (await git(work, 'rev-parse', 'side~1')).trim();
  expect(await clone(repo, '--depth', '1')).toBe(next);
  await expect.poll(() => filesOf(repo).length, patience).toBeGreaterThanOrEqual(3);
  expect(await clone(repo, '--depth', '1')).toBe(next);
});

it('REPO-118: a deleted repository takes its prepared packs with it', async () => {
  const { repo } = await made('deleted');
  await clone(repo);
  await expect.poll(() => filesOf(repo).length, patience).toBe(2);
  expect((await server.rest('DELETE', '/namespaces/default/repos/deleted')).status).toBeLessThan(300);
  await expect.poll(() => filesOf(repo), patience).toEqual([]);
});

it('GIT-187, LIM-071: a server that stops leaves no prepared pack behind', async () => {
  const { repo } = await made('stopped');
  await clone(repo);
  await expect.poll(() => filesOf(repo).length, patience).toBe(2);
  await server.restart(undefined, () => expect(filesOf(repo)).toHaveLength(1));
  await clone(repo);
});
