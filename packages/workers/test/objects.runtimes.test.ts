import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocalWorkerd, type LocalWorkerd } from '@packhouse/workers/local';

/** Scenarios that `probe/worker.ts` runs between a Worker and its objects. */
let workerd: LocalWorkerd;
let folder: string;
const errors: object[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packhouse-objects-'));
  workerd = await startLocalWorkerd({
    host: '127.0.0.1',
    port: 0,
    folder,
    entry: fileURLToPath(new URL('probe/worker.ts', import.meta.url)),
    config: { public_url: 'http://127.0.0.1:1' },
    apiTokens: [{ token: 'long-enough-for-a-token', account: 'a', permissions: ['read', 'edit'] }],
    log: (line) => {
      if (line['level'] === 'error') errors.push(line);
    },
  });
});

afterAll(async () => {
  await workerd.close();
  await rm(folder, { recursive: true, force: true });
});

async function scenario(name: string): Promise<unknown> {
  // One that is kept may be closed by workerd, after 5 idle seconds, just when the next request is written.
  const response = await fetch(new URL(name, workerd.url), { headers: { connection: 'close' } });
  const text = await response.text();
  return response.ok ? JSON.parse(text) : text;
}

it('REPO-116: a repository that was not begun, or was forgotten, has no tables and is gone', async () => {
  expect(await scenario('life')).toEqual({
    before: [{ kind: 'gone' }, 0],
    open: 'open',
    erased: { kind: 'gone' },
    after: [{ kind: 'gone' }, 0],
    again: 'open',
  });
});

it('REPO-129: only exempt hosts reach addresses that are not public, regardless of the lookup', async () => {
  const inside = createServer((_, response) => void response.end('inside'));
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const { port } = inside.address() as AddressInfo;
  expect(await scenario(`reach?port=${port}`)).toEqual({ checked: 'refused', exempt: 'inside' });
  inside.close();
});

it('an account that is only asked for is an empty one, and keeps nothing', async () => {
  expect(await scenario('stranger')).toEqual({
    answers: [null, [], 0, 'missing', { kind: 'missing' }],
    ofTags: [null, 'missing', 'no match', { items: [], more: false }, { items: [], more: false }],
    before: 0,
    after: true,
    found: 'n',
  });
});

it('TAG-052: keys and values of tags pass between Worker and object as they are', async () => {
  const keys = ['10', '9', '__proto__', 'constructor', '\u{10400}'];
  expect(await scenario('oddTags')).toEqual({
    same: [true, true, true],
    times: [1_000, 1_000],
    keys,
    values: [[''], [' \n'], ['\uFEFF'], ['\uFEFFx'], ['\u{1F600}']],
    summary: [
      ['10', ''],
      ['9', ' \n'],
      ['__proto__', '\uFEFF'],
      ['constructor', '\uFEFFx'],
      ['\u{10400}', '\u{1F600}'],
    ],
  });
});

it('TAG-142: all tags that an account may have can be those of one resource', async () => {
  expect(await scenario('manyTags')).toEqual({ kind: 'set', read: true, listed: [true] });
});

it('TAG-127: the sweep of an account removes the tags of a repo whose creation it undoes', async () => {
  expect(await scenario('sweptTags')).toEqual([null, { a: 'b' }]);
});

it('GIT-156: many refs come in parts that fit in a message, and all of one version', async () => {
  const { largest, ...answer } = (await scenario('manyRefs')) as { largest: number };
  expect(largest).toBeLessThan(8 * 1_048_576);
  expect(answer).toMatchObject({
    refs: 70_000,
    sorted: true,
    last: { name: 'refs/heads/00069999', kind: 'commit' },
    few: null,
  });
});

it('an object that dies between snapshot and commit is called again, and the commit applied once', async () => {
  expect(await scenario('eviction')).toMatchObject({
    died: true,
    version: 1,
    outcome: { kind: 'done', version: 2, updates: [{ kind: 'ok' }] },
    known: { kind: 'done', version: 2 },
  });
});

it('REPO-118, REPO-123: the alarm of an account that erases a fork leaves what its parent has, and then nothing', async () => {
  expect(await scenario('deletedFork')).toEqual([
    { held: [1, 0], stored: true },
    { held: [0, 0], stored: false },
  ]);
});

it('GIT-155: rejects packs whose uploads were swept or may be, and repeats the outcome of a recorded commit', async () => {
  const late = 'the uploads of a pack were begun too long ago';
  expect(await scenario('lateUploads')).toEqual({ answers: [late, late, late, late, 'done', 'done'], packs: 1 });
});

it('GIT-127: replaces packs, and returns retired tips of any number', async () => {
  const pack = (number: number, position: number, after = 0) => ({
    id: String(number).padStart(32, '0'),
    where: number === 3 ? 'store' : 'rows',
    objects: 1,
    packSize: 1,
    idxSize: 1,
    graphSize: 1,
    exact: number === 1,
    after,
    borrowed: 'no',
    position,
    at: number === 3 ? 5 : expect.any(Number),
  });
  const [one, two] = [pack(1, 1), pack(2, 2, 1)];
  expect(await scenario('replacing')).toEqual({
    late: 'the uploads of a pack were begun too long ago',
    changed: 'version changed',
    outcomes: ['done', 'done', 'packs changed'],
    bytes: [6, 3],
    packs: [pack(3, 2)],
    retired: [
      { pack: { ...one, exact: false }, at: 7 },
      { pack: two, at: 7 },
    ],
    rows: [1, 2],
    forgotten: [[], 0],
    left: [],
  });
});

it('GIT-157: a push may lean on packs that were merged, until something of them is collected', async () => {
  const [done, changed] = ['done', 'packs changed'];
  expect(await scenario('leaning')).toEqual([done, done, done, done, changed, changed, done]);
});

it('GIT-061: returns more retired tips than one message holds, and a part of them in a snapshot', async () => {
  expect(await scenario('manyTips')).toEqual({ tips: 1_200, sorted: true, shown: 1_024, same: true, forgotten: 0 });
});

it('an alarm that has done everything leaves no other behind', async () => {
  expect(await scenario('alarms')).toEqual({ planned: true, left: false });
});
