/** Replies about repositories in states that no request produces. The tests write them to workerd's files. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalService, type LocalService, type TestRepo } from './support/local-service.ts';

let data: string;
let service: LocalService;
let repo: TestRepo;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'packhouse-workers-'));
  service = await startLocalService({}, { folder: data });
  repo = await service.createRepo('changed');
});

afterEach(async () => {
  await service.close();
  await rm(data, { recursive: true, force: true });
});

/** Changes the object of the repo while nothing runs, and starts again. */
async function changed(sql: string, ...values: readonly string[]): Promise<void> {
  await service.close();
  let count = 0;
  for (const path of await readdir(data, { recursive: true })) {
    if (!path.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(data, path));
    try {
      const holds = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'repos'").get();
      if (holds === undefined) continue;
      if (database.prepare('SELECT 1 FROM repos WHERE id = ?').get(repo.id) === undefined) continue;
      count += 1;
      database.prepare(sql).run(...values);
    } finally {
      database.close();
    }
  }
  expect(count, 'the repo is in one object').toBe(1);
  service = await startLocalService({}, { folder: data });
}

async function discovery(): Promise<Response> {
  const { username, password, pathname } = new URL(repo.remote);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  return await fetch(`${service.url}${pathname}/info/refs?service=git-upload-pack`, { headers: { authorization } });
}

it('GIT-030: a repo that is not ready is 409 with when to come again', async () => {
  for (const [status, text] of [
    ['importing', 'Repository import in progress'],
    ['forking', 'Repository fork in progress'],
  ] as const) {
    await changed('UPDATE repos SET status = ?, version = version + 1', status);
    const reply = await discovery();
    expect([reply.status, await reply.text()]).toEqual([409, text]);
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  await changed('UPDATE repos SET status = ?, version = version + 1', 'ready');
  expect((await discovery()).status).toBe(200);
}, 120_000);

it('GIT-032: a failure before the first byte is a 500 that tells nothing', async () => {
  await changed('DROP TABLE refs');
  const reply = await discovery();
  expect([reply.status, await reply.text()]).toEqual([500, 'An internal error occurred.']);
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
}, 120_000);
