import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { newRayId } from './ray-id.ts';

const form = /^[0-9a-f]{16}$/;

describe('ERR-085: a ray id', () => {
  it('is 16 lower-case hexadecimal digits of the random bytes, in their order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
        const id = newRayId((bytes) => bytes.set(random));
        expect(id).toBe(Buffer.from(random).toString('hex'));
      }),
    );
  });

  it('uses random bytes only once, although it requests them in bulk', () => {
    const given: string[] = [];
    const source = vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      if (!(bytes instanceof Uint8Array)) throw new TypeError('Bytes are asked for');
      bytes.set(randomBytes(bytes.length));
      given.push(Buffer.from(bytes).toString('hex'));
      return bytes;
    });
    try {
      const ids = Array.from({ length: 1000 }, () => newRayId()).join('');
      // The first ids may use bytes requested before.
      const [first = ''] = given;
      expect(ids.slice(ids.indexOf(first))).toBe(given.join('').slice(0, ids.length - ids.indexOf(first)));
      expect(ids.indexOf(first)).toBeLessThan(first.length);
      expect(given.length).toBeLessThan(100);
    } finally {
      source.mockRestore();
    }
  });

  it('fails without random bytes, and works again once there are some', () => {
    const source = vi.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
      throw new Error('no entropy');
    });
    expect(() => Array.from({ length: 1000 }, () => newRayId())).toThrow('no entropy');
    expect(() => newRayId()).toThrow('no entropy');
    source.mockRestore();
    expect(newRayId()).toMatch(form);
  });

  it('is new each time, from the random source of the runtime', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => newRayId()));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(form);
    // Every digit occurs at every position.
    for (let place = 0; place < 16; place += 1)
      expect(new Set([...ids].map((id) => id[place])).size, `place ${place}`).toBe(16);
  });
});
