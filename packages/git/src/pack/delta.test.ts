import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { applyDelta, parseDeltaSizes, type DeltaSizes } from './delta.ts';

/** The obvious way to apply a delta, to compare with; undefined where it is broken. */
function plainly(base: Uint8Array, delta: Uint8Array): number[] | undefined {
  const out: number[] = [];
  for (let at = 0; at < delta.length;) {
    const op = delta[at++] as number;
    if (op & 0x80) {
      let offset = 0;
      let length = 0;
      for (let bit = 0; bit < 7; bit++) {
        if (!(op & (1 << bit))) continue;
        const byte = delta[at++];
        if (byte === undefined) return undefined;
        if (bit < 4) offset += byte * 256 ** bit;
        else length += byte * 256 ** (bit - 4);
      }
      length ||= 65536;
      if (offset + length > base.length) return undefined;
      out.push(...base.subarray(offset, offset + length));
    } else {
      if (op === 0 || at + op > delta.length) return undefined;
      out.push(...delta.subarray(at, at + op));
      at += op;
    }
  }
  return out;
}

const someBase = fc.uint8Array({ minLength: 1, maxLength: 400 });
/** Instructions that mostly fit a base of some hundred bytes. */
const someDelta = fc
  .array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 127 }).map((bytes) => [bytes.length, ...bytes]),
      fc
        .tuple(fc.nat(300), fc.integer({ min: 1, max: 200 }))
        .map(([offset, length]) => [0x93, offset & 255, offset >> 8, length]),
      fc.uint8Array({ maxLength: 3 }).map((bytes) => [...bytes]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

describe('applyDelta', () => {
  test.prop([someBase, someDelta, fc.constantFrom(0, 0, 0, -1, 1)], { numRuns: 500 })(
    'GIT-144: equals the plain way, and refuses what it refuses',
    (base, delta, off) => {
      const expected = plainly(base, delta);
      const size = Math.max(0, (expected?.length ?? 50) + off);
      const target = new Uint8Array(size + 40);
      const fits = applyDelta(base, 0, base.length, delta, 0, delta.length, target, 20, 20 + size);
      expect(fits).toBe(expected !== undefined && expected.length === size);
      if (fits) expect([...target.subarray(20, 20 + size)]).toEqual(expected);
      // Nothing outside is touched, whether it fits or not.
      expect(target.subarray(0, 20).every((byte) => byte === 0)).toBe(true);
      expect(target.subarray(20 + size).every((byte) => byte === 0)).toBe(true);
    },
  );

  test.prop([someBase, someDelta])('works within one array', (base, delta) => {
    const expected = plainly(base, delta);
    if (expected === undefined) return;
    const room = new Uint8Array(base.length + delta.length + expected.length);
    room.set(base);
    room.set(delta, base.length);
    const at = base.length + delta.length;
    expect(applyDelta(room, 0, base.length, room, base.length, at, room, at, room.length)).toBe(true);
    expect([...room.subarray(at)]).toEqual(expected);
  });

  it('copies 65,536 bytes where no length is given', () => {
    const base = new Uint8Array(70_000).map((_, i) => i * 7);
    const target = new Uint8Array(65_536);
    expect(applyDelta(base, 0, 70_000, Uint8Array.of(0x81, 9), 0, 2, target, 0, 65_536)).toBe(true);
    expect(target).toEqual(base.slice(9, 9 + 65_536));
  });

  it('GIT-144: reads offsets of four bytes without a sign', () => {
    expect(applyDelta(new Uint8Array(4), 0, 4, Uint8Array.of(0x98, 0xff, 1), 0, 3, new Uint8Array(1), 0, 1)).toBe(
      false,
    );
  });
});

describe('parseDeltaSizes', () => {
  it('reads both sizes', () => {
    const sizes: DeltaSizes = { base: 0, result: 0, at: 0 };
    expect(parseDeltaSizes(Uint8Array.of(9, 0x80, 1, 0xff, 0x7f, 5), 1, 6, sizes)).toBe(true);
    expect(sizes).toEqual({ base: 128, result: 16383, at: 5 });
  });

  it('GIT-144: refuses sizes that are cut off or endless', () => {
    const sizes: DeltaSizes = { base: 0, result: 0, at: 0 };
    expect(parseDeltaSizes(Uint8Array.of(1), 0, 1, sizes)).toBe(false);
    expect(parseDeltaSizes(Uint8Array.of(1, 0x80, 1), 0, 2, sizes)).toBe(false);
    expect(parseDeltaSizes(new Uint8Array(40).fill(0xff), 0, 40, sizes)).toBe(false);
    expect(parseDeltaSizes(new Uint8Array(0), 0, 0, sizes)).toBe(false);
  });
});
