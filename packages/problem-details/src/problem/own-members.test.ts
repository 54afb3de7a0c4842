import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownMembers } from './own-members.ts';

describe('ERR-035: members that an own code adds', () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '"', '\n', '\u0000', '\uD800', 'ü', '😀', ' ') }),
    fc.boolean(),
    fc.maxSafeInteger(),
  );

  it('keep name, value and order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^x_[A-Za-z0-9_]{1,100}$/), value), (members) => {
        expect(Object.entries(ownMembers(members))).toEqual(Object.entries(members));
      }),
    );
  });

  it.each(['x_', 'x', 'status', 'X_a', 'x_a-b', 'x_ü', 'x_a b', 'x_a:', 'x_a\n', '__proto__', `x_${'a'.repeat(101)}`])(
    'are dropped if their name is %j',
    (name) => {
      expect(ownMembers(Object.fromEntries([[name, 1]]))).toEqual({});
    },
  );

  it.each([undefined, null, 1.5, 2 ** 53, Number.NaN, Infinity, {}, [], () => 1, Symbol('a'), 1n, new Date(0)])(
    'are dropped if their value is %s',
    (value) => {
      expect(ownMembers({ x_kept: 1, x_left: value } as never)).toEqual({ x_kept: 1 });
    },
  );
});
