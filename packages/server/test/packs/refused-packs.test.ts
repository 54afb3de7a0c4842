/** A refused push leaves no files in the data folder. The conformance cases test the replies to clients. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  blob,
  change,
  commit,
  insertingDelta,
  made,
  pack,
  packEntry,
  packOfEntries,
  tree,
} from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { listedRefs, push, set } from '@packhouse/conformance/tools/wire-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

const main = 'refs/heads/main';
const base = change('base');
const nextFile = blob('next\n');
const large = blob(noise(1_700_000, 1));
const next = commit('next', tree({ file: nextFile }), [base]);
/** Entries of a pack that is sound; one is too large for rows, so that files are begun, too. */
const entries = [
  packEntry(1, next.body),
  packEntry(2, tree({ file: nextFile }).body),
  packEntry(3, nextFile.body),
  packEntry(3, large.body),
];
const good = packOfEntries(entries);
const delta = (oid: string, bytes: Uint8Array): Buffer => packEntry(7, bytes, Buffer.from(oid, 'hex'));

let server: TestServer;
let repo: TestRepo;

beforeAll(async () => {
  server = await startTestServer();
  repo = await server.createRepo('corrupt');
  expect(await push(repo, [set(main, base)], pack(...base.all, large))).toEqual(['unpack ok', `ok ${main}`]);
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

/** All that is kept of the repository: its state, the record's times, and its files. */
async function kept(): Promise<unknown> {
  const database = new DatabaseSync(join(server.data, 'packhouse.sqlite'), { readOnly: true });
  try {
    const rows = (query: string): unknown => database.prepare(query).all(repo.id);
    const { result } = await server.rest('GET', `/namespaces/default/repos/${repo.name}`);
    const path = join(server.data, 'packs', 'local', repo.id);
    return {
      record: result,
      version: rows('SELECT version FROM repos WHERE id = ?'),
      refs: rows('SELECT * FROM refs WHERE repo_id = ? ORDER BY name'),
      packs: rows('SELECT * FROM packs WHERE repo_id = ? ORDER BY position'),
      rows: rows('SELECT id, files_row FROM packs WHERE repo_id = ? AND files_row IS NOT NULL ORDER BY id'),
      files: existsSync(path) ? readdirSync(path) : [],
      listed: await listedRefs(repo),
    };
  } finally {
    database.close();
  }
}

const bad = made('commit', 'no commit at all');
const broken = Buffer.from(good);
broken.writeUInt8((broken.at(-1) as number) ^ 1, broken.length - 1);

it.each([
  ['GIT-140: no pack', Buffer.from('hello, this is no pack whatsoever'), /^unpack bad pack header$/],
  ['GIT-141: a count that is wrong', packOfEntries(entries, 3), /^unpack object count mismatch$/],
  ['GIT-141: bytes behind', Buffer.concat([good, Buffer.alloc(70_000, 7)]), /^unpack garbage after pack$/],
  ['GIT-142: another trailer', broken, /^unpack pack checksum mismatch$/],
  ['GIT-143: no type', packOfEntries([...entries, packEntry(5, next.body)]), /^unpack corrupt object at offset \d+$/],
  [
    'GIT-144: a delta that does not fit',
    packOfEntries([...entries, delta(next.oid, insertingDelta(1, Buffer.from('x')))]),
    /^unpack corrupt delta at offset \d+$/,
  ],
  [
    'GIT-145: a base that is nowhere',
    packOfEntries([...entries, delta('12'.repeat(20), insertingDelta(1, Buffer.from('x')))]),
    /^unpack missing base (12){20}$/,
  ],
  [
    'GIT-146: no commit',
    packOfEntries([...entries, packEntry(1, bad.body)]),
    new RegExp(`^unpack invalid object ${bad.oid}$`),
  ],
  ['GIT-148: half of a pack', good.subarray(0, good.length >> 1), /^unpack truncated pack$/],
  ['GIT-148: all but a byte of a pack', good.subarray(0, -1), /^unpack truncated pack$/],
])('%s', async (_, bytes, reason) => {
  const before = await kept();
  const report = await push(repo, [set(main, next, base)], bytes);
  expect(report).toEqual([expect.stringMatching(reason), `ng ${main} unpacker error`]);
  expect(await kept()).toEqual(before);
});

it('GIT-149: values that lack something', async () => {
  const before = await kept();
  const hole = commit('hole', tree({ file: blob('lost\n') }), [base]);
  const report = await push(repo, [set(main, hole, base)], pack(hole, tree({ file: blob('lost\n') }), large));
  expect(report).toEqual(['unpack ok', `ng ${main} missing necessary objects`]);
  expect(await kept()).toEqual(before);
  expect(await push(repo, [set(main, next, base)], good)).toEqual(['unpack ok', `ok ${main}`]);
});
