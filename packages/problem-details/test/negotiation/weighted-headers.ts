import { fc } from '@fast-check/vitest';

const blanks = fc.stringMatching(/^[ \t]{0,2}$/);

/** Weights: mostly valid, some long, some malformed. */
const weights = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('0', '1', '0.', '1.', '0.0', '1.000', '0.5', '0.50', '0.9', '.5', '2', '1.1'),
  },
  { weight: 3, arbitrary: fc.stringMatching(/^0\.[0-9]{1,4}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^0\.3{18,22}[0-9]{0,2}$/) },
  { weight: 1, arbitrary: fc.constantFrom('', 'abc', '-1', '"1"', '00', '1.01', '0.5a', '0 5', '0,5', '0;5') },
);

const parameters = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('q=', 'Q='), weights).map((parts) => parts.join('')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'charset=utf-8',
      'x="a,b;q=0"',
      'x="\\""',
      'x="\\\\"',
      'q',
      'q =0.1',
      'q= 0.1',
      'qq=0',
      '"q"=0',
      '',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('x="', 'x="\\') },
);

/** Headers in the form of `Accept`, mostly with the given ranges, also with all kinds of faults. */
export const weightedHeaders = (ranges: readonly string[]): fc.Arbitrary<string> => {
  const range = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ranges) },
    { weight: 1, arbitrary: fc.constantFrom(...ranges).map((known) => known.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom('', '*', '/', 'x/y', '*/json', 'a b', 'te\u017ft/html', '\u{1f600}', '"') },
  );
  const element = fc
    .tuple(blanks, range, fc.array(fc.tuple(blanks, blanks, parameters), { maxLength: 3 }), blanks)
    .map(([before, range, parts, after]) => before + range + parts.map((part) => part.join(';')).join('') + after);
  const short = fc.array(element, { maxLength: 8 }).map((elements) => elements.join(','));
  const many = fc.array(element, { minLength: 55, maxLength: 75, size: 'max' }).map((elements) => elements.join(','));
  const padding = fc.tuple(fc.constantFrom('a', ' ', '\u{1f600}'), fc.integer({ min: 8100, max: 8200 }));
  const long = fc
    .tuple(short, padding, short)
    .map(([head, [character, count], tail]) => `${head},${character.repeat(count)},${tail}`);
  return fc.oneof({ weight: 8, arbitrary: short }, { weight: 1, arbitrary: many }, { weight: 2, arbitrary: long });
};

/** Sequences of characters with a meaning in these headers, and arbitrary texts. */
export const hostileHeaders: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.constantFrom(...',;="\\ \tq019.*/', 'text/html', 'application/json', 'q=0.', 'de'), { maxLength: 40 })
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => String.fromCharCode(...bytes)),
);
