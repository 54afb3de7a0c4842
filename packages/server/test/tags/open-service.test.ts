import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listedTokens } from '@packhouse/router';
import { neutral } from '@packhouse/hosting';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownToken } from '../../src/config/accounts.ts';
import { openService, type OpenedService } from '../../src/service/open-service.ts';

const token = 'abcdefghijklmnop';
const zoneToken = 'ponmlkjihgfedcba';
const logged: unknown[] = [];
let folder: string;
let service: OpenedService;

const open = async (): Promise<OpenedService> =>
  await openService({
    folder,
    dialect: neutral,
    settings: { zones: { z1: 'local' }, tags_not_found: '404' },
    authorizer: listedTokens(
      [...ownToken(token, ['local']), { token: zoneToken, zone: 'z1', permissions: ['tag.write'] }],
      neutral,
    ),
    accounts: ['local'],
    log: (record) => {
      if (record.event === 'failure') logged.push(record);
    },
    maintained: () => undefined,
    ready: () => true,
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packhouse-tags-'));
  logged.length = 0;
  service = await open();
});

afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
  expect(logged).toEqual([]);
});

interface Reply {
  readonly status: number;
  readonly result: Readonly<Record<string, unknown>> | undefined;
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null | undefined;
}

async function ask(method: string, path: string, body?: object, credential: string = token): Promise<Reply> {
  const response = await service.handler(
    new Request(`http://127.0.0.1:8787/v4${path}`, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const { result, result_info: info } = (text === '' ? {} : JSON.parse(text)) as {
    readonly result?: Readonly<Record<string, unknown>>;
    readonly result_info?: { readonly cursor: string | null };
  };
  return { status: response.status, result, cursor: info?.cursor };
}

const repos = '/accounts/local/repos/namespaces/default/repos';
const tags = { env: 'prod', note: '\uFEFF' };

async function taggedRepo(): Promise<{ readonly body: object; readonly query: string }> {
  const made = await ask('POST', repos, { name: 'notes' });
  const id = String(made.result?.['id']);
  const body = { resource_type: 'repository', resource_id: id, tags };
  expect(await ask('PUT', '/accounts/local/tags', body)).toMatchObject({ status: 200 });
  return { body, query: `/accounts/local/tags?resource_type=repository&resource_id=${id}` };
}

it('TAG-001, TAG-004, TAG-127: tags of repos and of resources of zones are there after a restart', async () => {
  const { query } = await taggedRepo();
  const record = { resource_type: 'dns_record', resource_id: 'www', tags };
  expect(await ask('PUT', '/zones/z1/tags', record)).toMatchObject({ status: 200 });
  await service.close();
  service = await open();
  expect(await ask('GET', query)).toMatchObject({ status: 200, result: { name: 'default/notes', tags } });
  const ofZone = '/zones/z1/tags?resource_type=dns_record&resource_id=www';
  expect(await ask('GET', ofZone)).toMatchObject({ status: 200, result: { zone_id: 'z1', tags } });
});

it('TAG-080: cursors work after a restart, also one whose place is kept in the store', async () => {
  const keys = Array.from({ length: 201 }, (_, i) => `${String(i + 100)}${i < 100 ? '' : '𐐀'.repeat(253)}`);
  const body = { resource_type: 'worker', resource_id: 'w', tags: Object.fromEntries(keys.map((key) => [key, ''])) };
  expect((await ask('PUT', '/accounts/local/tags', body)).status).toBe(200);
  const first = await ask('GET', '/accounts/local/tags/keys');
  const second = await ask('GET', `/accounts/local/tags/keys?cursor=${first.cursor}`);
  await service.close();
  service = await open();
  expect(first.result).toEqual(keys.slice(0, 100));
  for (const [page, from] of [
    [first, 100],
    [second, 200],
  ] as const) {
    const next = await ask('GET', `/accounts/local/tags/keys?cursor=${page.cursor}`);
    expect(next).toMatchObject({ status: 200, result: keys.slice(from, from + 100) });
  }
});

it('TAG-127: a repo takes its tags with it, and another of its name has none', async () => {
  const { query } = await taggedRepo();
  expect((await ask('DELETE', `${repos}/notes`)).status).toBe(202);
  expect((await ask('GET', query)).status).toBe(404);
  expect((await ask('GET', '/accounts/local/tags/keys')).result).toEqual([]);
  const again = await ask('POST', repos, { name: 'notes' });
  const id = String(again.result?.['id']);
  expect((await ask('GET', `/accounts/local/tags?resource_type=repository&resource_id=${id}`)).status).toBe(404);
});

it('TAG-018: a token of the zone reaches the zone and nothing else', async () => {
  const body = { resource_type: 'dns_record', resource_id: 'www', tags };
  expect((await ask('PUT', '/zones/z1/tags', body, zoneToken)).status).toBe(200);
  expect((await ask('GET', '/accounts/local/tags/keys', undefined, zoneToken)).status).toBe(403);
  expect((await ask('GET', repos, undefined, zoneToken)).status).toBe(403);
  expect((await ask('GET', '/zones/z2/tags?resource_type=zone&resource_id=z2', undefined, zoneToken)).status).toBe(403);
});

it('TAG-173: a folder that a release without tags made has them from the next start on', async () => {
  await ask('POST', repos, { name: 'kept' });
  await service.close();
  forgetTags();
  service = await open();
  const { query } = await taggedRepo();
  expect((await ask('GET', query)).status).toBe(200);
  expect((await ask('GET', `${repos}/kept`)).status).toBe(200);
});

/** Makes of the folder what the release before made: no tables of tags, and no record of them. */
function forgetTags(): void {
  const database = new DatabaseSync(join(folder, 'packhouse.sqlite'));
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'tag%'")
    .all()
    .map(({ name }) => String(name));
  expect(tables).not.toEqual([]);
  database.exec('PRAGMA foreign_keys = OFF');
  for (const name of tables) database.exec(`DROP TABLE "${name}"`);
  database.exec("DELETE FROM schema_migrations WHERE list = 'tags'");
  database.close();
}
