import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { isMatch, readFilter, type Filter, type Tags } from '../support/filter-model.ts';
import { assertRefusal, filterRefusal } from '../support/refusals.ts';
import { listedIds, repeated } from '../support/tag-lists.ts';
import { tagWorkers } from '../support/tagged-resources.ts';

/** Keys that differ only by case, by special characters of LIKE and JSON, or by their position in Unicode. */
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

/** Mostly spellings of one key, so that a resource has several of them. */
const key = fc.oneof(fc.constantFrom('env', 'Env', 'ENV', 'eNV'), fc.constantFrom(...keys));
const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')) },
);
const tagMap = fc
  .array(fc.tuple(key, value), { minLength: 1, maxLength: 6 })
  .map((pairs): Tags => Object.fromEntries(pairs));

const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');

/** A filter in one of its forms on the wire. */
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

/** Parts of filters in any order. */
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

/** The resources of a case, and two queries that limit a list to them: a service may find them in different ways. */
interface Made {
  readonly resources: ReadonlyMap<string, Tags>;
  readonly only: readonly string[];
}

async function make(t: Context, maps: readonly Tags[]): Promise<Made> {
  const mark = t.name('mark');
  const marked = maps.map((tags): Tags => ({ ...tags, [mark]: '' }));
  // Earlier tags of a resource must not be found.
  const [last = {}] = marked.slice(-1);
  const ids = await tagWorkers(t, [last, ...marked.slice(1)]);
  await t.setTags({ resource_type: 'worker', resource_id: ids[0] ?? '' }, marked[0] as Tags);
  const resources = new Map(ids.map((id, i) => [id, marked[i] as Tags]));
  return { resources, only: [repeated('id', ids), `tag=${mark}`] };
}

/** Asserts that filters select what the model says, or are refused as it says. */
async function expectAsModel(
  t: Context,
  { resources, only }: Made,
  wire: readonly string[],
  ignoreCase: boolean,
): Promise<void> {
  const query = [...wire.map((text) => `tag=${text}`), `case_insensitive=${ignoreCase}`].join('&');
  const read = wire.map(readFilter);
  const fault = read.find((one) => typeof one === 'number');
  if (typeof fault === 'number') {
    assertRefusal(await t.tags('GET', `/tags/resources?${query}&${only[0]}`), filterRefusal(fault), query);
    return;
  }
  const filters = read.filter((one): one is Filter => typeof one !== 'number');
  const expected = [...resources].filter(([, tags]) => filters.every((one) => isMatch(one, tags, ignoreCase)));
  const show = (ids: readonly string[]): readonly unknown[] => ids.toSorted().map((id) => [id, resources.get(id)]);
  const one = only[query.length % only.length] ?? '';
  const found = await listedIds(t, `${query}&${one}`);
  assert.deepEqual(show(found), show(expected.map(([id]) => id)), `${query}&${one}: expected these resources`);
}

export const tagFiltersRandom: Suite = suite(
  {
    id: 'tags/filters/random',
    requirements: ['TAG-070', 'TAG-071', 'TAG-081', 'TAG-082', 'TAG-083', 'TAG-085', 'TAG-086', 'TAG-087', 'TAG-145'],
    level: 'MUST',
    beyond: true,
    explanation: 'Random filters in both forms select those of random tags that the grammar says.',
    run: async (t) => {
      const made = await make(t, fc.sample(tagMap, { seed: t.seed, numRuns: 4 }));
      const query = fc.record({ wire: fc.array(written, { minLength: 1, maxLength: 3 }), ignoreCase: fc.boolean() });
      const property = fc.asyncProperty(query, async ({ wire, ignoreCase }) => {
        await expectAsModel(t, made, wire, ignoreCase);
      });
      await holds(t, 6, property);
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
      const made = await make(t, [
        { env: 'a', É: 'prod' },
        { prod: '', envprod: 'a' },
      ]);
      const property = fc.asyncProperty(fc.array(soup, { minLength: 1, maxLength: 2 }), async (wire) => {
        await expectAsModel(t, made, wire, false);
      });
      await holds(t, 6, property);
    },
  },
);
