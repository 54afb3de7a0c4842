import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { HostingError } from './errors.ts';
import { countCharacters, Fields } from './fields.ts';

describe('Fields', () => {
  it('REPO-037: reports invalid fields in reading order, and a late fault at its reserved position', () => {
    const fields = new Fields({ a: 1, b: 'x', c: true });
    fields.string('a');
    const late = fields.later('b');
    fields.string('c');
    late('Late');
    const error = (() => {
      try {
        fields.check();
      } catch (caught) {
        return caught as HostingError;
      }
    })();
    expect(error).toBeInstanceOf(HostingError);
    expect(error?.items.map(({ pointer }) => pointer)).toEqual(['/a', '/b', '/c']);
    expect(error?.message).toBe('Invalid input: expected string, received number');
  });

  it('REPO-042: ignores members of the prototype', () => {
    const fields = new Fields({});
    expect(fields.optionalString('constructor')).toBeUndefined();
    expect(fields.boolean('toString', true)).toBe(true);
    fields.check();
  });

  test.prop([fc.string({ unit: 'binary' })])('counts characters as code points', (text) => {
    expect(countCharacters(text)).toBe([...text].length);
  });

  test.prop([fc.oneof(fc.maxSafeInteger(), fc.double(), fc.string(), fc.stringMatching(/^[+-]?\d{1,20}$/))])(
    'REPO-048: reads an integer in its range, or reports one error',
    (value) => {
      const fields = new Fields({ n: value });
      const number = fields.integer('n', { min: 1, max: 200 }, 50);
      const valid = fields.errorCount === 0;
      expect(valid).toBe(
        (typeof value === 'number' || /^[+-]?\d+$/.test(value)) &&
          Number.isInteger(number) &&
          number >= 1 &&
          number <= 200,
      );
      if (valid) expect(number).toBe(Number(value));
    },
  );
});
