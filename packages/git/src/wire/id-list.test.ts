import { fc, it as property } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { objectIdAt, parseObjectId, type ObjectId } from '../object/object-id.ts';
import { IdList } from './id-list.ts';

const oids = fc
  .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 })
  .map((text) => parseObjectId(text) as ObjectId);

property.prop([fc.array(oids, { maxLength: 300 })])('a list of ids has what was added, in order', (added) => {
  const list = new IdList();
  for (const oid of added) list.add(oid);
  expect([...list]).toEqual(added);
  expect(added.map((_, i) => objectIdAt(list.bytes, 20 * i))).toEqual(added);
});

it('LIM-059: a list of ids tells what it takes before it grows, and stays as it was if that is refused', () => {
  const oid = '1'.repeat(40) as ObjectId;
  let kept = 0;
  let room = Infinity;
  const list = new IdList((bytes) => {
    if (bytes > room) throw new Error('no room');
    kept += bytes;
  });
  for (let i = 0; i < 64; i++) list.add(oid);
  expect(kept).toBe(0);
  for (let i = 64; i < 100_000; i++) {
    list.add(oid);
    expect(kept).toBeGreaterThanOrEqual(2 * (list.bytes.length - 64 * 20));
  }
  expect(kept).toBeLessThan(40 * 130_000);
  room = 0;
  expect(() => {
    for (;;) list.add(oid);
  }).toThrow('no room');
  expect([list.length * 20, [...list].length]).toEqual([list.bytes.length, list.length]);
});
