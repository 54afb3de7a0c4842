import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '@packhouse/fixtures';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiToken, startServer, type KillableServer } from './support/killable-server.ts';

let folder: string;
let server: KillableServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-fork-bytes-'));
  server = await startServer(join(folder, 'data'));
});

afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Made {
  readonly id: string;
  readonly remote: string;
  readonly token: string;
  readonly objects?: number;
}

async function post(path: string, body: unknown): Promise<Made> {
  const response = await fetch(`${server.url}/v4/accounts/local/repos/namespaces/default/repos${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { readonly result: Made }).result;
}

/** Makes a repository with one commit of so many different files, and one more branch. */
function repositoryOf(files: number): string {
  const path = join(folder, 'source.git');
  runGit(['init', '--quiet', '--bare', '--initial-branch=main', path]);
  const changes = Array.from(
    { length: files },
    (_, i) => `M 100644 inline part-${i % 100}/${i}\ndata ${`${i}`.length}\n${i}\n`,
  );
  const begin = (branch: string): string =>
    `commit refs/heads/${branch}\ncommitter A <a@example.test> 1700000000 +0000\ndata 1\nx\n`;
  const more = `${begin('more')}from refs/heads/main\nM 100644 inline more\ndata 4\nmore\n`;
  runGit(['fast-import', '--quiet'], { cwd: path, input: `${begin('main')}${changes.join('')}${more}` });
  return path;
}

/** Returns the pack files of a repo in the data folder, with their inodes. */
function filesOf({ id }: Made): readonly (readonly [name: string, inode: bigint])[] {
  return globSync(`packs/**/${id}/**/*.{pack,idx,graph}`, { cwd: join(folder, 'data') })
    .map((name) => [name.replace(/^.*\//, ''), statSync(join(folder, 'data', name), { bigint: true }).ino] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

it('REPO-124: a fork of 50,000 objects writes none of their bytes, with every ref or with one', async () => {
  const source = repositoryOf(49_895);
  const parent = await post('', { name: 'parent' });
  const header = `http.extraHeader=Authorization: Bearer ${parent.token}`;
  runGit(['-c', header, 'push', '--quiet', '--mirror', parent.remote], { cwd: source });
  const shared = filesOf(parent);
  expect(shared.map(([name]) => name.replace(/^.*\./, ''))).toEqual(['graph', 'idx', 'pack']);
  const all = await post('/parent/fork', { name: 'all', default_branch_only: false });
  const one = await post('/all/fork', { name: 'one' });
  expect([all.objects, one.objects]).toEqual([50_000, 49_997]);
  expect(filesOf(all)).toEqual(shared);
  expect(filesOf(one)).toEqual(shared);
}, 60_000);
