import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { literalPattern } from './literal-pattern.ts';

const few = (size: object): fc.Arbitrary<string> => fc.string({ unit: fc.constantFrom('a', 'b', 'c'), ...size });

describe('literalPattern', () => {
  test.prop([few({ minLength: 1, maxLength: 8 }), few({ maxLength: 60 }), fc.nat(20), fc.nat(80)], { numRuns: 2000 })(
    'finds what indexOf finds, within any range',
    (literal, text, from, length) => {
      const to = Math.min(text.length, from + length);
      const found = from > to ? -1 : text.slice(0, to).indexOf(literal, from);
      const match = literalPattern(Buffer.from(literal)).find(Buffer.from(text), from, to);
      expect(match).toEqual(found < 0 ? undefined : { start: found, end: found + literal.length });
    },
  );

  test('reads a byte a few times at most, for a literal that almost matches everywhere', () => {
    const text = new Uint8Array(10_000).fill(97);
    let reads = 0;
    const counted = new Proxy(text, {
      get(target, key) {
        reads++;
        return Reflect.get(target, key) as unknown;
      },
    });
    for (const literal of [`b${'a'.repeat(300)}`, `${'a'.repeat(300)}b`, `${'a'.repeat(150)}b${'a'.repeat(150)}`]) {
      expect(literalPattern(Buffer.from(literal)).find(counted, 0, text.length)).toBeUndefined();
    }
    expect(reads).toBeLessThan(3 * 3 * text.length);
  });
});
