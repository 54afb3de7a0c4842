import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitFile, git, newRepository, tryGit } from './support/git.ts';
import { startLocalService, type LocalService, type TestRepo } from './support/local-service.ts';

let service: LocalService;
let folder: string;
let parent: TestRepo;

beforeAll(async () => {
  // Packs that are prepared for clones would be in the bucket, too.
  service = await startLocalService({ prepared_max: 0 });
  folder = await newRepository();
  parent = await service.createRepo('parent');
  for (const name of ['one', 'two']) {
    await commitFile(folder, name, 3_000_000);
    await git(['push', '-q', parent.remote, 'main'], folder);
  }
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Keys in the bucket, as the local runtime keeps them. */
async function keys(): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await readdir(service.folder, { recursive: true })) {
    if (!path.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(service.folder, path), { readOnly: true });
    try {
      const holds = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_mf_objects'").get();
      if (holds === undefined) continue;
      for (const { key } of database.prepare('SELECT key FROM _mf_objects').all()) found.push(String(key));
    } finally {
      database.close();
    }
  }
  return found;
}

async function fork(from: string, name: string): Promise<TestRepo> {
  const { status, body } = await service.rest('POST', `/namespaces/default/repos/${from}/fork`, {
    name,
    default_branch_only: false,
  });
  expect(status).toBe(201);
  const secret = String(body.result['token']).split('?')[0];
  const remote = `http://x:${secret}@${new URL(service.url).host}/git/local/default/${name}.git`;
  return { id: String(body.result['id']), name, remote };
}

async function expectWhole({ name, remote }: TestRepo): Promise<void> {
  const copy = join(folder, `.copy-of-${name}-${Date.now()}`);
  await git(['clone', '-q', '--bare', remote, copy]);
  expect(await git(['rev-parse', 'main'], copy)).toBe(await git(['rev-parse', 'main'], folder));
  expect(await tryGit(['fsck', '--full'], copy)).toMatchObject({ status: 0, stderr: '' });
}

const deleted = async ({ name }: TestRepo): Promise<void> => {
  const { status } = await service.rest('DELETE', `/namespaces/default/repos/${name}`);
  expect(status).toBe(202);
};

it('REPO-123, REPO-124: a fork reads the objects of its parent, writes none, and keeps them when that is deleted', async () => {
  const before = await keys();
  expect(before).toHaveLength(6);
  const from = service.lines.length;
  const child = await fork('parent', 'child');
  const [line] = await service.requests('/parent/fork', 1, from);
  expect(line).toMatchObject({ r2_a: 0, r2_b: 0, object_calls: 11 });
  expect(await keys()).toEqual(before);
  const grandchild = await fork('child', 'grandchild');
  expect(await keys()).toEqual(before);
  await expectWhole(child);

  await deleted(parent);
  await deleted(child);
  await expect.poll(async () => (await service.rest('GET', '/namespaces/default/repos')).body.result).toHaveLength(1);
  await expectWhole(grandchild);
  expect(await keys()).toEqual(before);

  await deleted(grandchild);
  await expect.poll(keys, { timeout: 10_000 }).toEqual([]);
}, 60_000);
