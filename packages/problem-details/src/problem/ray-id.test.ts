import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRayId, newRayId } from './ray-id.ts';

describe('ERR-085: a ray id', () => {
  it('is 16 lower-case hexadecimal digits of the random bytes, in their order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
        const id = newRayId((bytes) => bytes.set(random));
        expect(id).toBe(Buffer.from(random).toString('hex'));
        expect(isRayId(id)).toBe(true);
      }),
    );
  });

  it('is new each time, from the random source of the runtime', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => newRayId()));
    expect(ids.size).toBe(1000);
    expect([...ids].every(isRayId)).toBe(true);
    // Every digit takes every value in its place.
    for (let place = 0; place < 16; place += 1)
      expect(new Set([...ids].map((id) => id[place])).size, `place ${place}`).toBe(16);
  });
});

describe('ERR-086: a text has the form of a ray id', () => {
  it.each(['0000000000000000', '9184027733651048', 'abcdef0123456789'])('%s', (text) => {
    expect(isRayId(text)).toBe(true);
  });

  it.each([
    '',
    '918402773365104',
    '91840277336510480',
    'ABCDEF0123456789',
    'g184027733651048',
    ' 9184027733651048',
    '9184027733651048\n',
    '9184027733651048-LOC',
    '９184027733651048',
  ])('not %j', (text) => {
    expect(isRayId(text)).toBe(false);
  });
});
