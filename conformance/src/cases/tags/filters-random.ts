import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { holds } from '../../tools/holds.ts';
import { isMatch, readFilter, type Filter, type Tags } from './filter-model.ts';
import { assertRefusal, filterRefusal } from './refusals.ts';
import { listedIds, repeated } from './tag-lists.ts';
import { tagWorkers } from './tagged-resources.ts';

/** Keys that differ by case, by what LIKE and JSON make of them, or by their place in Unicode alone. */
const keys = [
  'env',
  'Env',
  'ENV',
  'e_v',
  'e.v',
  'e-v',
  'env.prod',
  'Équipe',
  'équipe',
  'Straße',
  'STRASSE',
  '环境',
  '10',
  '1',
  '__proto__',
  'constructor',
  'toString',
  'ǅ',
  'Ǆ',
  '𐐀',
  '𐐨',
  'ﬁ',
  'FI',
  '\u212a',
  'k',
  '_',
  '-',
  '٣',
];

/** Values with every character that has a meaning in a filter, a query, SQL or JSON. */
const values = [
  '',
  ' ',
  'prod',
  'PROD',
  'Prod',
  'a',
  'b',
  'a,b',
  ',',
  ',,',
  'a b',
  'a+b',
  '+',
  '%',
  '%25',
  '50%',
  '_',
  '%_',
  'a%b',
  'a_b',
  '*',
  '?',
  '\\',
  "'",
  "''",
  '"',
  '`',
  ';',
  '--',
  '=',
  '==',
  'x=y=z',
  '!',
  '!prod',
  '&',
  '#',
  'null',
  '[]',
  '{}',
  'ß',
  'SS',
  'ss',
  'ſs',
  'é',
  'e\u0301',
  'Σ',
  'ς',
  'σ',
  'İ',
  'i',
  'ı',
  '😀',
  '\u{10ffff}',
  '\ufb01',
  '\u0001',
  '\n',
];

/** Often spellings of one key, so that a resource has several of them. */
const key = fc.oneof(fc.constantFrom('env', 'Env', 'ENV', 'eNV'), fc.constantFrom(...keys));
const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')) },
);
const tagMap = fc
  .array(fc.tuple(key, value), { minLength: 1, maxLength: 6 })
  .map((pairs): Tags => Object.fromEntries(pairs));

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/** A filter in one of the forms that it has on the wire. */
const written = fc
  .record({
    key,
    values: fc.array(value, { minLength: 1, maxLength: 4 }),
    form: fc.constantFrom('has', 'lacks', 'literal', 'literal', 'encoded', 'encoded'),
    negated: fc.boolean(),
    bang: fc.constantFrom('!', '%21'),
  })
  .map(({ key: name, values: items, form, negated, bang }) => {
    if (form === 'has') return encoded(name);
    if (form === 'lacks') return `${bang}${encoded(name)}`;
    const before = `${encoded(name)}${negated ? bang : ''}`;
    const list = items.map(encoded);
    return form === 'literal' ? `${before}=${list.join(',')}` : `${before}%3D${list.join('%2C')}`;
  });

/** Pieces of filters in any order. */
const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom('env', 'prod', 'a', '=', '%3D', '%3d', '!', '%21', ',', '%2C', '%2c', '+', '%20', '%25'),
      fc.constantFrom(
        '%C3%89',
        '%C3',
        '%',
        '%0',
        '%00',
        '%FF',
        '%F0%90%90%80',
        ':',
        '/',
        '?',
        '_',
        '.',
        '-',
        '%26',
        '%23',
      ),
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));

/** Random resources of this case, by their ids. */
async function tagRandomly(t: Context, count: number): Promise<ReadonlyMap<string, Tags>> {
  const maps = fc.sample(tagMap, { seed: t.seed, numRuns: count });
  const ids = await tagWorkers(t, maps);
  return new Map(ids.map((id, i) => [id, maps[i] as Tags]));
}

/** Asserts that filters select what the model says, or are refused as it says. */
async function expectAsModel(
  t: Context,
  resources: ReadonlyMap<string, Tags>,
  wire: readonly string[],
  ignoreCase: boolean,
): Promise<void> {
  const query = [...wire.map((text) => `tag=${text}`), `case_insensitive=${ignoreCase}`].join('&');
  const only = repeated('id', [...resources.keys()]);
  const read = wire.map(readFilter);
  const fault = read.find((one) => typeof one === 'number');
  if (typeof fault === 'number') {
    const reply = await t.tags('GET', `/tags/resources?${query}&${only}`);
    assertRefusal(reply, filterRefusal(fault), query);
    return;
  }
  const filters = read.filter((one): one is Filter => typeof one !== 'number');
  const expected = [...resources].filter(([, tags]) => filters.every((one) => isMatch(one, tags, ignoreCase)));
  const found = await listedIds(t, `${query}&${only}`);
  const show = (ids: readonly string[]): readonly unknown[] => ids.toSorted().map((id) => [id, resources.get(id)]);
  assert.deepEqual(show(found), show(expected.map(([id]) => id)), `${query}: expected these resources`);
}

export const tagFiltersRandom: Suite = suite(
  {
    id: 'tags/filters/random',
    requirements: ['TAG-070', 'TAG-071', 'TAG-081', 'TAG-082', 'TAG-083', 'TAG-085', 'TAG-086', 'TAG-087', 'TAG-145'],
    level: 'MUST',
    beyond: true,
    explanation: 'Random filters in both forms select those of random tags that the grammar says.',
    run: async (t) => {
      const resources = await tagRandomly(t, 24);
      const query = fc.record({ wire: fc.array(written, { minLength: 1, maxLength: 3 }), ignoreCase: fc.boolean() });
      const property = fc.asyncProperty(query, async ({ wire, ignoreCase }) => {
        await expectAsModel(t, resources, wire, ignoreCase);
      });
      await holds(t, 80, property);
    },
  },
  {
    id: 'tags/filters/random-texts',
    requirements: ['TAG-081', 'TAG-084', 'TAG-088', 'TAG-089', 'TAG-152'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Whatever stands in a filter, it is read as the grammar says, or refused with the code of its first fault.',
    run: async (t) => {
      const ids = await tagWorkers(t, [
        { env: 'a', É: 'prod' },
        { prod: '', envprod: 'a' },
      ]);
      const [first = '', second = ''] = ids;
      const resources = new Map<string, Tags>([
        [first, { env: 'a', É: 'prod' }],
        [second, { prod: '', envprod: 'a' }],
      ]);
      const property = fc.asyncProperty(fc.array(soup, { minLength: 1, maxLength: 2 }), async (wire) => {
        await expectAsModel(t, resources, wire, false);
      });
      await holds(t, 80, property);
    },
  },
);
