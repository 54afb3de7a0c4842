import { createHash } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

const place = fc.record({ key: fc.oneof(fc.maxSafeInteger(), fc.string()), tie: fc.string() });
const query = fc.array(fc.string(), { maxLength: 6 });
const typeOf = (key: number | string) => typeof key as 'number' | 'string';

describe('cursors', () => {
  test.prop([place, query])('REPO-093: a cursor is URL-safe and gives its place back', async (given, bound) => {
    const cursor = await writeCursor(given, bound);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await readCursor(cursor, bound, typeOf(given.key))).toEqual(given);
    expect(await readCursor(cursor, bound, typeOf(given.key) === 'number' ? 'string' : 'number')).toBeUndefined();
  });

  test.prop([place, query, query])('REPO-093: rejects one of another query', async (given, bound, other) => {
    fc.pre(JSON.stringify(bound) !== JSON.stringify(other));
    expect(await readCursor(await writeCursor(given, bound), other, typeOf(given.key))).toBeUndefined();
  });

  test.prop([place, query, fc.nat(), fc.constantFrom('A', '-', '_', '7', 'z', '=', '', 'AA')], { numRuns: 300 })(
    'REPO-093: rejects a damaged one',
    async (given, bound, at, put) => {
      const cursor = await writeCursor(given, bound);
      const index = at % cursor.length;
      const damaged = cursor.slice(0, index) + put + cursor.slice(index + 1);
      fc.pre(damaged !== cursor);
      expect(await readCursor(damaged, bound, typeOf(given.key))).toBeUndefined();
    },
  );

  test.prop([fc.string(), query])('rejects any other text, without an exception', async (text, bound) => {
    expect(await readCursor(text, bound, 'number')).toBeUndefined();
  });

  it.each([
    'null',
    '{',
    '1',
    '{}',
    '[]',
    '[1]',
    '[1,2]',
    '["a","b"]',
    '[1e999,"x"]',
    '[1.5,"x"]',
    '[1e16,"x"]',
    '[null,"x"]',
  ])('REPO-093: rejects one that was made up around %s, even with the right sum', async (json) => {
    expect(await readCursor(madeUp(json), ['repos'], 'number')).toBeUndefined();
  });

  it('REPO-093: the sum of the one made up is the right one', async () => {
    expect(await readCursor(madeUp('[1,"x"]'), ['repos'], 'number')).toEqual({ key: 1, tie: 'x' });
  });
});

/** Makes a cursor as a reader of the source can. */
function madeUp(json: string): string {
  const sum = createHash('sha256')
    .update(JSON.stringify(['repos', json]))
    .digest()
    .subarray(0, 12);
  return Buffer.concat([sum, Buffer.from(json)]).toString('base64url');
}
