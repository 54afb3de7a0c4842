/** Tags in the object of their account, over HTTP. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiToken, startLocalService, type LocalService } from './support/local-service.ts';

const settings = { zones: { z1: 'local' }, tags_not_found: '404' };
let data: string;
let service: LocalService;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'packhouse-workers-'));
  service = await startLocalService(settings, { folder: data });
});

afterEach(async () => {
  await service.close();
  await rm(data, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly result: unknown;
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null | undefined;
}

async function ask(method: string, path: string, body?: object): Promise<Reply> {
  const response = await fetch(`${service.url}/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { result, result_info: info } = (text === '' ? {} : JSON.parse(text)) as {
    readonly result?: unknown;
    readonly result_info?: { readonly cursor: string | null };
  };
  return { status: response.status, result, cursor: info?.cursor };
}

/** Ends workerd, does something to the object of the account, if anything, and starts again. */
async function restarted(change: (account: DatabaseSync) => void = () => undefined): Promise<void> {
  await service.close();
  let count = 0;
  for (const path of await readdir(data, { recursive: true })) {
    if (!path.endsWith('.sqlite')) continue;
    const database = new DatabaseSync(join(data, path));
    try {
      const tables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'catalog_namespaces'");
      if (tables.get() === undefined) continue;
      count += 1;
      change(database);
    } finally {
      database.close();
    }
  }
  expect(count, 'there is one account').toBe(1);
  service = await startLocalService(settings, { folder: data });
}

const tags = { env: 'prod', note: '\uFEFF', 'cost-center': '' };
const ofRepo = (id: string): string => `/accounts/local/tags?resource_type=repository&resource_id=${id}`;
const ofRecord = '/zones/z1/tags?resource_type=dns_record&resource_id=www';

async function taggedRepo(name: string): Promise<string> {
  const { id } = await service.createRepo(name);
  const body = { resource_type: 'repository', resource_id: id, tags };
  expect(await ask('PUT', '/accounts/local/tags', body)).toMatchObject({ status: 200, result: { tags } });
  return id;
}

it('TAG-001, TAG-004, TAG-127: tags are there after a restart, and those of a repo go with it', async () => {
  const id = await taggedRepo('notes');
  const record = { resource_type: 'dns_record', resource_id: 'www', tags: { owner: 'dns' } };
  expect((await ask('PUT', '/zones/z1/tags', record)).status).toBe(200);
  await restarted();
  expect(await ask('GET', ofRepo(id))).toMatchObject({ status: 200, result: { name: 'default/notes', tags } });
  expect(await ask('GET', ofRecord)).toMatchObject({ status: 200, result: { zone_id: 'z1', tags: record.tags } });
  expect((await service.rest('DELETE', '/namespaces/default/repos/notes')).status).toBe(202);
  expect((await ask('GET', ofRepo(id))).status).toBe(404);
  expect(await ask('GET', '/accounts/local/tags/keys')).toMatchObject({ status: 200, result: ['owner'] });
});

it('TAG-080: cursors work after a restart, also one whose place is kept in the object', async () => {
  const keys = Array.from({ length: 201 }, (_, i) => `${String(i + 100)}${i < 100 ? '' : '𐐀'.repeat(253)}`);
  const body = { resource_type: 'worker', resource_id: 'w', tags: Object.fromEntries(keys.map((key) => [key, ''])) };
  expect((await ask('PUT', '/accounts/local/tags', body)).status).toBe(200);
  const first = await ask('GET', '/accounts/local/tags/keys');
  const second = await ask('GET', `/accounts/local/tags/keys?cursor=${first.cursor}`);
  await restarted();
  expect(first.result).toEqual(keys.slice(0, 100));
  for (const [page, from] of [
    [first, 100],
    [second, 200],
  ] as const) {
    const next = await ask('GET', `/accounts/local/tags/keys?cursor=${page.cursor}`);
    expect(next).toMatchObject({ status: 200, result: keys.slice(from, from + 100) });
  }
});

it('TAG-173: an object that was made before there were tags has them from its next visit on', async () => {
  await service.createRepo('kept');
  await restarted((account) => {
    const tables = account.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'tag%'").all();
    expect(tables).not.toEqual([]);
    for (const { name } of tables) account.exec(`DROP TABLE "${String(name)}"`);
    account.exec("DELETE FROM schema_migrations WHERE list = 'tags'");
  });
  expect(await ask('GET', '/accounts/local/tags/summary')).toMatchObject({ status: 200, result: [] });
  const id = await taggedRepo('new');
  expect(await ask('GET', '/accounts/local/tags/resources')).toMatchObject({ result: [{ id, name: 'default/new' }] });
});

it('what requests of tagging cost: the table of docs/workers.md', async () => {
  const cost = async (method: string, path: string, body?: object): Promise<unknown> => {
    const from = service.lines.length;
    await ask(method, path, body);
    const [line] = await service.requests(path.split('?')[0] ?? '', 1, from);
    return line?.['object_calls'];
  };
  const id = await taggedRepo('costs');
  const worker = { resource_type: 'worker', resource_id: 'w', tags };
  const repo = { resource_type: 'repository', resource_id: id, tags };
  expect({
    set: await cost('PUT', '/accounts/local/tags', worker),
    get: await cost('GET', '/accounts/local/tags?resource_type=worker&resource_id=w'),
    setRepo: await cost('PUT', '/accounts/local/tags', repo),
    getRepo: await cost('GET', ofRepo(id)),
    list: await cost('GET', '/accounts/local/tags/resources?tag=env'),
    keys: await cost('GET', '/accounts/local/tags/keys'),
    values: await cost('GET', '/accounts/local/tags/values/env'),
    summary: await cost('GET', '/accounts/local/tags/summary'),
    delete: await cost('DELETE', '/accounts/local/tags', worker),
    refused: await cost('PUT', '/accounts/local/tags', { ...worker, tags: { 'a b': '' } }),
    deleteRepo: await cost('DELETE', '/accounts/local/repos/namespaces/default/repos/costs'),
  }).toEqual({
    set: 1,
    get: 1,
    setRepo: 3,
    getRepo: 2,
    list: 1,
    keys: 1,
    values: 1,
    summary: 1,
    delete: 1,
    refused: 0,
    deleteRepo: 6,
  });
});
