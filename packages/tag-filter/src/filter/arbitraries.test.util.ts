import { fc } from '@fast-check/vitest';
import { createTagFilter, type TagFilter } from './tag-filter.ts';

const keyCharacters = [...'aZ09_.-éÉßſİıςσΣﬁ环٣𐐀𐐨𝟘'];

/** Keys that often collide, some only when case is ignored, and arbitrary others. */
export const anyKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('env', 'ENV', 'Env', 'Straße', 'STRASSE', '__proto__', 'constructor', '10', '9', '𐐀', 'ﬁ'),
  fc.string({ unit: fc.constantFrom(...keyCharacters), minLength: 1, maxLength: 12 }),
  fc
    .string({ unit: 'binary', minLength: 1 })
    .map((text) => text.replaceAll(/[^\p{L}\p{Nd}_.-]/gu, ''))
    .filter((text) => text !== ''),
);

/** Texts of scalar values without U+0000, including characters with a meaning in SQL, LIKE, JSON and queries. */
export const anyValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'prod',
    'PROD',
    'a,b',
    'a',
    'b',
    '50%',
    '%',
    '_',
    '%25',
    '+',
    ' ',
    "'",
    '"',
    '\\',
    '*',
    '?',
    ';--',
  ),
  fc.constantFrom(
    'é',
    'É',
    'e\u0301',
    'ß',
    'SS',
    'ος',
    'ΟΣ',
    '1',
    '01',
    '1.0',
    'null',
    '=',
    '!',
    '&',
    '#',
    '\uFEFF',
    '[]',
  ),
  fc.string({ unit: fc.constantFrom(...'aA,%_+=!é\u0301ß"\''), maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
);

/** Filters of all kinds, made by {@link createTagFilter}. */
export const anyFilter: fc.Arbitrary<TagFilter> = fc.oneof(
  fc.record({ key: anyKey, test: fc.constantFrom('has' as const, 'lacks' as const) }).map(createTagFilter),
  fc
    .record({
      key: anyKey,
      test: fc.constantFrom('one-of' as const, 'none-of' as const),
      values: fc.oneof(
        anyValue.map((value) => [value]),
        fc.array(
          anyValue.filter((value) => value !== ''),
          { minLength: 2, maxLength: 10 },
        ),
      ),
    })
    .map(createTagFilter),
);

/** Tags of a resource. */
export const anyTags: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .array(fc.tuple(anyKey, anyValue), { maxLength: 5 })
  .map((entries) => Object.fromEntries(entries));

const fragments: readonly string[] = [
  ['env', 'team', 'É', '环', 'e\u0301', '\u{1F600}', '\uFEFF', '\ud800', '\0', '?', '/', ':', '"', ' '],
  ['=', '%3D', '%3d', '!', '%21', ',', '%2C', '%2c', '+', '%2B', '%25', '%', '%4', '%g0', '&', '#'],
  ['%C3%89', '%C3', '%89', '%E7%8E%AF', '%ED%A0%80', '%C0%80', '%F0%9F%98%80', '%F4%90%80%80', '%EF%BB%BF', '%00'],
].flat();

/** Texts that are almost filters, in the form of a query. */
export const anyWireText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { maxLength: 10 }).map((parts) => parts.join('')),
  fc
    .tuple(
      fc.constantFrom('', '!', '%21'),
      fc.constantFrom('', 'k', 'k'.repeat(256), '𐐀'.repeat(256), 'k'.repeat(257), 'k k'),
      fc.constantFrom('=', '%3D', '!=', '%21%3D', ''),
      fc.array(fc.constantFrom('', 'v', 'v'.repeat(1024), '\u{1F600}'.repeat(1024), 'v'.repeat(1025), '%2C', 'a%2Cb'), {
        maxLength: 12,
      }),
    )
    .map(([bang, key, operator, values]) => `${bang}${key}${operator}${values.join(',')}`),
  // Most of these are valid filters.
  fc
    .tuple(
      fc.constantFrom('env', 'É', '%C3%89', '%6b'),
      fc.constantFrom('=', '%3D', '%3d', '!=', '%21%3D', '!%3D', '%21='),
      fc.array(fc.constantFrom('v', '+', '=', '!', '%2B', '%2C', '%2c', ',', '%25', '%C3%89', '\u{1F600}'), {
        maxLength: 8,
      }),
    )
    .map(([key, operator, values]) => `${key}${operator}${values.join('')}`),
  fc.string({ unit: 'binary' }),
);
