import { createHash } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { simpleTagStores } from '../contract/simple-tag-stores.ts';
import { readKeyPlace, readResourcePlace, readValuePlace, writeResourcePlace } from './tag-lists.ts';
import { readTagCursor, writeTagCursor } from './tag-cursor.ts';

const text = (maxLength: number, minLength = 0) =>
  fc.string({ unit: 'binary', minLength, maxLength }).filter((one) => one.isWellFormed() && !one.includes('\0'));
const resourceText = fc.oneof(
  text(20, 1),
  text(1024, 1),
  fc.constant('𐐀'.repeat(1024)),
  fc.constant('\u0001'.repeat(1024)),
);
const resource = fc.record({
  type: fc.constantFrom('worker', 'dns_record', 'a'.repeat(64)),
  zone: fc.option(fc.constantFrom('z1', 'z'.repeat(64))),
  parent: fc.option(resourceText),
  id: resourceText,
});
const binding = fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 });

describe('cursors of lists of tags', () => {
  test.prop([resource, binding])(
    'TAG-078, TAG-080, TAG-141: returns any position of a resource',
    async (place, bound) => {
      const store = simpleTagStores()('a1');
      const cursor = await writeTagCursor(store, writeResourcePlace(place), bound, 0);
      expect(cursor).toMatch(/^[A-Za-z0-9_.-]{1,1024}$/);
      expect(readResourcePlace(await readTagCursor(store, cursor, bound))).toEqual(place);
    },
  );

  test.prop([fc.oneof(text(1024), fc.constant('𐐀'.repeat(1024)), fc.constant('"\\'.repeat(512))), binding])(
    'TAG-080, TAG-141: returns any value of a tag',
    async (value, bound) => {
      const store = simpleTagStores()('a1');
      const cursor = await writeTagCursor(store, value, bound, 0);
      expect(cursor).toMatch(/^[A-Za-z0-9_.-]{1,1024}$/);
      expect(readValuePlace(await readTagCursor(store, cursor, bound))).toBe(value);
    },
  );

  const short = fc.constantFrom('k', 'key', 'x'.repeat(900));
  const long = fc.constantFrom('𐐀'.repeat(256), 'x'.repeat(1024));

  test.prop([fc.oneof(short, long), binding, binding])(
    'TAG-078: rejects a cursor of another list',
    async (place, bound, other) => {
      fc.pre(JSON.stringify(bound) !== JSON.stringify(other));
      const store = simpleTagStores()('a1');
      expect(await readTagCursor(store, await writeTagCursor(store, place, bound, 0), other)).toBeUndefined();
    },
  );

  test.prop([fc.oneof(short, long), fc.nat(), fc.constantFrom('A', '-', '_', '.', '7', 'z', '=', '', 'AA', '%', 'é')], {
    numRuns: 300,
  })('TAG-078: rejects a damaged cursor', async (place, at, put) => {
    const store = simpleTagStores()('a1');
    const cursor = await writeTagCursor(store, place, ['keys'], 0);
    const index = at % cursor.length;
    const damaged = cursor.slice(0, index) + put + cursor.slice(index + 1);
    fc.pre(damaged !== cursor);
    expect(await readTagCursor(store, damaged, ['keys'])).toBeUndefined();
    expect(await readTagCursor(store, cursor.slice(0, index), ['keys'])).toBeUndefined();
  });

  test.prop([
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((one) => `kept.${one}`),
    ),
  ])('TAG-078: rejects any other text without throwing', async (cursor) => {
    expect(await readTagCursor(simpleTagStores()('a1'), cursor, [])).toBeUndefined();
  });

  it('TAG-141: rejects a cursor of more than 1,024 characters, even with a valid checksum', async () => {
    const store = simpleTagStores()('a1');
    const fits = 'x'.repeat(754);
    expect(madeUp(JSON.stringify(fits))).toHaveLength(1024);
    expect(await readTagCursor(store, madeUp(JSON.stringify(fits)), ['keys'])).toBe(fits);
    expect(await readTagCursor(store, madeUp(JSON.stringify(`${fits}x`)), ['keys'])).toBeUndefined();
    expect(await writeTagCursor(store, fits, ['keys'], 0)).toBe(madeUp(JSON.stringify(fits)));
    expect(await writeTagCursor(store, `${fits}x`, ['keys'], 0)).toMatch(/^kept\./);
  });

  it('TAG-080: stores the time of the request, and rejects a cursor whose position is not stored', async () => {
    const kept: unknown[][] = [];
    const store = { ...simpleTagStores()('a1'), keepPlace: async (...all: unknown[]) => void kept.push(all) };
    const cursor = await writeTagCursor(store, 'x'.repeat(1024), ['keys'], 77);
    expect(kept).toEqual([[expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), JSON.stringify('x'.repeat(1024)), 77]]);
    expect(await readTagCursor(store, cursor, ['keys'])).toBeUndefined();
  });

  it('TAG-078: never asks a store for a key of another form', async () => {
    const asked: string[] = [];
    const store = {
      ...simpleTagStores()('a1'),
      async keptPlace(id: string) {
        asked.push(id);
        return '"k"';
      },
    };
    for (const id of ['\0', 'x', 'x'.repeat(42), 'x'.repeat(44), "'; --"]) {
      expect(await readTagCursor(store, `kept.${madeUp(id)}`, ['keys'])).toBeUndefined();
    }
    expect(await readTagCursor(store, `kept.${madeUp('x'.repeat(43))}`, ['keys'])).toBe('k');
    expect(asked).toEqual(['x'.repeat(43)]);
  });
});

describe('forged positions', () => {
  it.each([null, 1, {}, [], '', 'a b', 'x'.repeat(257), ['k']])('TAG-078: rejects %j as a key', (value) => {
    expect(readKeyPlace(value)).toBeUndefined();
  });

  it.each([null, 1, {}, [], '\0', '\ud800', 'x'.repeat(1025), ['v']])('TAG-078: rejects %j as a value', (value) => {
    expect(readValuePlace(value)).toBeUndefined();
  });

  it.each([
    null,
    'worker',
    {},
    [],
    ['worker', null, null],
    ['worker', null, null, 'a', 'b'],
    ['worker', null, null, null],
    [null, null, null, 'a'],
    ['worker', 1, null, 'a'],
    ['worker', null, '', 'a'],
    ['worker', null, null, ''],
    ['worker', null, null, 'a\0'],
    ['worker', null, null, 'x'.repeat(1025)],
    ['worker', null, ['p'], 'a'],
  ])('TAG-078: rejects %j as a resource', (value) => {
    expect(readResourcePlace(value)).toBeUndefined();
  });
});

/** Forges a cursor, as a reader of this source could. */
function madeUp(content: string): string {
  const sum = createHash('sha256')
    .update(JSON.stringify(['keys', content]))
    .digest()
    .subarray(0, 12);
  return Buffer.concat([sum, Buffer.from(content)]).toString('base64url');
}
