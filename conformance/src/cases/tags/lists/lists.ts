import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { TagIdentity, TaggedResource } from '../../../core/context.ts';
import { sample } from '../../../tools/dice.ts';
import { accountTypes, zoneTypes } from '../support/default-types.ts';
import { refuses, refusals } from '../support/refusals.ts';
import {
  byCodePoint,
  listedIds,
  page,
  repeated,
  walked,
  type ListedResource,
  type SummaryItem,
} from '../support/tag-lists.ts';
import { tagWorkers } from '../support/tagged-resources.ts';

/** Every default type of either level. */
const types = [...accountTypes, 'account', ...zoneTypes, 'zone'];

// The order of lists goes beyond the public service (TAG-073); other cases check it.
const byType = <T extends { readonly type: string }>(items: readonly T[]): readonly T[] =>
  items.toSorted((one, other) => byCodePoint(one.type, other.type));
const inAnyOrder = (items: readonly SummaryItem[]): readonly SummaryItem[] =>
  items
    .map(({ key, values }) => ({ key, values: values.toSorted() }))
    .toSorted((one, other) => byCodePoint(one.key, other.key));

export const tagLists: Suite = suite(
  {
    id: 'tags/lists/span',
    requirements: ['TAG-007', 'TAG-027', 'TAG-065', 'TAG-068', 'TAG-072'],
    level: 'MUST',
    needs: ['zone id'],
    explanation: 'Lists span the account and its zones, and hold the tagged resources of both and no others.',
    run: async (t) => {
      const key = t.name('key');
      const [worker, record, version, emptied, never] = ['w', 'r', 'v', 'e', 'n'].map((word) => t.name(word));
      const parent = t.name('parent');
      const set = async (
        resource: TagIdentity,
        value: string,
        at: 'account' | 'zone' = 'account',
      ): Promise<TaggedResource> => await t.setTags(resource, { [key]: value }, { at });
      const made = [
        await set({ resource_type: 'dns_record', resource_id: record ?? '' }, 'zone', 'zone'),
        await set({ resource_type: 'worker', resource_id: worker ?? '' }, 'account'),
        await set({ resource_type: 'worker_version', resource_id: version ?? '', worker_id: parent }, 'version'),
      ];
      await set({ resource_type: 'worker', resource_id: emptied ?? '' }, 'gone');
      await t.setTags({ resource_type: 'worker', resource_id: emptied ?? '' }, {});
      const { items } = await page<ListedResource>(t, `/tags/resources?tag=${key}`);
      assert.deepEqual(byType(items), byType(made), 'expected the objects that the sets were answered with');
      const only = repeated('id', [worker, record, emptied, never].map(String));
      const ids = await listedIds(t, `tag=!${key}-not&${only}`);
      assert.deepEqual(ids.toSorted(), [worker, record].toSorted(), 'expected no resource without a tag to lack a key');
      assert.deepEqual(await listedIds(t, `tag=!${key}&${only}`), [], 'expected no resource without a tag');
      assert.deepEqual(await listedIds(t, `id=${emptied}`), [], 'expected no resource whose tags were all taken away');
      assert.deepEqual(
        await listedIds(t, `tag=${key}&type=dns_record`),
        [record],
        'expected the type of the zone alone',
      );
      const { items: values } = await page<string>(t, `/tags/values/${key}`);
      assert.deepEqual(
        values.toSorted(),
        ['account', 'version', 'zone'],
        'expected the values of both levels, and none that is gone',
      );
      assert.ok((await walked<string>(t, '/tags/keys')).includes(key), 'expected the key among the keys');
      const summary = (await walked<SummaryItem>(t, '/tags/summary')).filter((item) => item.key === key);
      assert.deepEqual(inAnyOrder(summary), [{ key, values: values.toSorted() }], 'expected one item of the summary');
    },
  },
  {
    id: 'tags/lists/empty',
    requirements: ['TAG-066'],
    level: 'MUST',
    explanation: 'A list of nothing is an empty array with a count of 0 and null cursors, never an error.',
    run: async (t) => {
      const none = t.name('none');
      const [id] = await tagWorkers(t, [{ [t.name('key')]: '' }]);
      const paths = [
        `/tags/resources?tag=${none}`,
        `/tags/resources?id=${none}`,
        `/tags/resources?name=${none}`,
        `/tags/resources?id=${id}&type=queue`,
        `/tags/resources?id=${id}&tag=${none}=x`,
        `/tags/values/${none}`,
        `/tags/values/${none}?type=worker`,
      ];
      for (const path of sample(t, paths, 3)) {
        assert.deepEqual(await page(t, path), { items: [], cursor: null }, `GET ${path}: expected nothing`);
      }
    },
  },
  {
    id: 'tags/lists/combined',
    requirements: ['TAG-067', 'TAG-068', 'TAG-007'],
    level: 'MUST',
    explanation: 'Different parameters and repeated tag are ANDed, repeated type and id are ORed.',
    run: async (t) => {
      const key = t.name('key');
      const names = ['worker', 'queue', 'image'] as const;
      const ids = names.flatMap((type) => ['1', '2'].map((number) => `${t.name(type)}.${number}`));
      const [w1, w2, q1, q2, i1, i2] = ids as [string, string, string, string, string, string];
      for (const [i, id] of ids.entries()) {
        const tags = { [key]: id.endsWith('1') ? 'one' : 'two', [`${key}.of`]: String(names[Math.floor(i / 2)]) };
        await t.setTags({ resource_type: String(names[Math.floor(i / 2)]), resource_id: id }, tags);
      }
      const expected: readonly (readonly [query: string, ids: readonly string[]])[] = [
        [`tag=${key}`, ids],
        [`tag=${key}=one`, [w1, q1, i1]],
        [`tag=${key}=one&type=queue`, [q1]],
        [`tag=${key}=one&type=queue&type=image`, [q1, i1]],
        [`type=queue&type=image&tag=${key}&type=queue`, [q1, q2, i1, i2]],
        [`tag=${key}=one&tag=${key}.of=worker`, [w1]],
        [`tag=${key}=one&tag=${key}=two`, []],
        [`tag=${key}!=one&tag=${key}&tag=${key}.of!=image`, [w2, q2]],
        [`id=${w1}&id=${i2}`, [w1, i2]],
        [`id=${w1}&id=${i2}&id=${w1}&type=image&type=worker`, [w1, i2]],
        [`id=${w1}&id=${i2}&type=image`, [i2]],
        [`id=${w1}&id=${i2}&tag=${key}=one`, [w1]],
        [`id=${w1}&id=${q2}&id=${i2}&tag=${key}=two&type=queue&name=${q2.slice(3, -2)}`, [q2]],
        [`id=${w1}&name=${q1}`, []],
      ];
      for (const [query, wanted] of sample(t, expected, 3)) {
        const found = await listedIds(t, query);
        assert.deepEqual(found.toSorted(), wanted.toSorted(), `${query}: expected these resources`);
      }
      const all = await walked<ListedResource>(t, '/tags/resources');
      assert.deepEqual(
        ids.filter((id) => !all.some((one) => one.id === id)),
        [],
        'expected all without a parameter',
      );
      assert.deepEqual(
        all.filter(({ tags }) => Object.keys(tags).length === 0),
        [],
        'expected tagged resources alone',
      );
      const every = await listedIds(t, `tag=${key}&${repeated('type', types)}`);
      assert.deepEqual(every.toSorted(), ids.toSorted(), 'expected each default type to be taken');
      await refuses(t, ['GET', `/tags/resources?${repeated('type', [...types, 'nope'])}`], refusals.resourceType);
    },
  },
  {
    id: 'tags/lists/name',
    requirements: ['TAG-029', 'TAG-069', 'TAG-085'],
    level: 'MUST',
    explanation: 'name keeps resources whose name contains the text, ignoring case; nothing in it is a pattern.',
    run: async (t) => {
      const words = [
        'CHECK OUT',
        ...sample(t, ['Checkout', 'check_out', 'check%out', 'check\\out', "check'out", 'Événement', '环境', '*'], 2),
      ];
      const ids = words.map((word) => `${t.name('named')} ${word} ${'long '.repeat(60)}`);
      const key = t.name('key');
      for (const id of ids) await t.setTags({ resource_type: 'worker', resource_id: id }, { [key]: '' });
      const long = 'long '.repeat(51).toUpperCase();
      const names = [
        '',
        'check',
        'CHECKOUT',
        'check_',
        '_',
        '%',
        'k%o',
        'k o',
        '\\',
        "'",
        '"',
        '*',
        '?',
        '[c]',
        'c*t',
        'nothing',
        'événement',
        'ÉVÉNEMENT',
        '环境',
        '环',
        ' check',
        'long ',
        `X${long}`,
        `check_out ${long.slice(12)}`,
      ];
      for (const name of [long, ...sample(t, names, 3)]) {
        const expected = ids.filter((id) => id.toLowerCase().includes(name.toLowerCase()));
        const found = await listedIds(t, `tag=${key}&name=${encodeURIComponent(name)}`);
        assert.deepEqual(found.toSorted(), expected.toSorted(), `name ${JSON.stringify(name)}: expected these`);
      }
      const spaced = await listedIds(t, `tag=${key}&name=CHECK+OUT`);
      assert.deepEqual(spaced, [ids[0]], 'expected a plus to be a space in a name');
      await t.setTags({ resource_type: 'worker', resource_id: String(ids[0]) }, { [key]: 'one two' });
      const valued = await listedIds(t, `tag=${key}=one+two`);
      assert.deepEqual(valued, [ids[0]], 'expected a plus to be a space in a filter');
    },
  },
  {
    id: 'tags/lists/ignoring-case',
    requirements: ['TAG-070'],
    level: 'MUST',
    explanation: 'case_insensitive=true lets filters ignore the case of keys and values; replies keep the spelling.',
    run: async (t) => {
      const key = t.name('key');
      const other = key.toUpperCase();
      const mark = t.name('mark');
      const stored = [
        { [mark]: '', [key]: 'Prod' },
        { [mark]: '', [other]: 'PROD', [`${key}.x`]: 'a' },
        { [mark]: '', [`${key}.t`]: 'one', [`${other}.T`]: 'two' },
      ];
      const ids = await tagWorkers(t, stored);
      const [lower, upper, twice] = ids;
      const expected: readonly (readonly [query: string, ids: readonly (string | undefined)[]])[] = [
        [`tag=${key}`, [lower]],
        [`tag=${key}&case_insensitive=false`, [lower]],
        [`tag=${key}&case_insensitive=true`, [lower, upper]],
        [`tag=${key}=prod`, []],
        [`tag=${key}=prod&case_insensitive=true`, [lower, upper]],
        [`case_insensitive=true&tag=${key}=x,pROD&tag=${key}.X=A`, [upper]],
        [`tag=!${key}.X&case_insensitive=true`, [lower, twice]],
        [`tag=${key}.X!=A&case_insensitive=true`, [lower, twice]],
        [`tag=${key}.X!=A&case_insensitive=false`, ids],
        [`tag=${key}.T&case_insensitive=true`, [twice]],
        [`tag=${key}.t=TWO&case_insensitive=true`, [twice]],
        [`tag=${key}.t=TWO,ONE&case_insensitive=true`, [twice]],
        [`tag=${other}.T=ONE&case_insensitive=true`, [twice]],
        [`tag=${key}.t!=Two&tag=${key}.t&case_insensitive=true`, []],
        [`tag=${other}.T!=one&tag=${key}.t&case_insensitive=true`, []],
        [`tag=${key}.t!=two&tag=${key}.t&case_insensitive=false`, [twice]],
      ];
      for (const [i, [query, wanted]] of sample(t, expected, 4).entries()) {
        // A service may find them in different ways.
        const only = i % 2 === 0 ? repeated('id', ids) : `tag=${mark}`;
        const found = await listedIds(t, `${query}&${only}`);
        assert.deepEqual(found.toSorted(), wanted.toSorted(), `${query}&${only}: expected these resources`);
      }
      const query = `${repeated('id', ids)}&tag=!none&case_insensitive=true`;
      const { items } = await page<ListedResource>(t, `/tags/resources?${query}`);
      const shown = ids.map((id) => items.find((item) => item.id === id)?.tags);
      assert.deepEqual(shown, stored, 'expected the stored spelling');
    },
  },
  {
    id: 'tags/lists/distinct',
    requirements: ['TAG-008', 'TAG-009', 'TAG-010', 'TAG-072', 'TAG-074', 'TAG-145'],
    level: 'MUST',
    explanation: 'Keys, values and the summary name each thing once; values are those of exactly that key.',
    run: async (t) => {
      const key = t.name('key');
      const [longer, upper] = [`${key}.x`, key.toUpperCase()];
      // Other cases have these keys, too, so the value is one of this case.
      const dots = { '.': key, '..': key };
      await tagWorkers(t, [
        { [key]: 'a', [longer]: 'other', ...dots },
        { [key]: 'a' },
        { [key]: 'A', [upper]: 'upper' },
      ]);
      await t.setTags({ resource_type: 'queue', resource_id: t.name('queue') }, { [key]: '' });
      const lists: readonly (readonly [path: string, items: readonly string[]])[] = [
        [`/tags/values/${key}`, ['', 'A', 'a']],
        [`/tags/values/${key}?type=worker`, ['A', 'a']],
        [`/tags/values/${key}?type=queue`, ['']],
        [`/tags/values/${key}?type=image`, []],
        [`/tags/values/${key}?type=dns_record`, []],
        [`/tags/values/${longer}`, ['other']],
        [`/tags/values/${upper}`, ['upper']],
      ];
      for (const [path, items] of sample(t, lists, 2)) {
        assert.deepEqual((await page<string>(t, path)).items.toSorted(), items, `${path}: expected these values`);
      }
      const ours = (text: string): boolean => [key, longer, upper].includes(text);
      const keys = (await walked<string>(t, '/tags/keys')).filter(ours);
      assert.deepEqual(keys.toSorted(), [upper, key, longer], 'expected each key once');
      const whole = await walked<SummaryItem>(t, '/tags/summary');
      for (const dot of Object.keys(dots)) {
        const values = whole.find((item) => item.key === dot)?.values;
        assert.ok(values?.includes(key), `${dot}: expected the summary to have what no path of values can ask for`);
      }
      const items = whole.filter((item) => ours(item.key));
      const expected = [
        { key: upper, values: ['upper'] },
        { key, values: ['', 'A', 'a'] },
        { key: longer, values: ['other'] },
      ];
      assert.deepEqual(inAnyOrder(items), expected, 'expected one item for each key, with all its values');
    },
  },
);
