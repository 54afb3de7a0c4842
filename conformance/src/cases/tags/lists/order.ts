import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { sample } from '../../../tools/dice.ts';
import { foldCase } from '../support/filter-model.ts';
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
import { forEachOf } from '../support/tagged-resources.ts';

/** Texts whose order differs by UTF-16 units, by UTF-8 bytes of a normalised form, or without case. */
const texts = ['10', '9', 'A', 'Z', 'a', 'z', 'É', 'é', 'Ω', '环', '\ufb01', '\uffdc', '𐐀', '𐐨', '𠀀'];
/** Characters that keys cannot contain. */
const valueTexts = ['', ' ', '!', '~', '\u007f', '\u0080', '\u0001', '\ue000', '\uffff', '\u{10ffff}', 'e\u0301', '😀'];

/** Spellings that are equal without case, and some that only seem equal (TAG-071). */
const equalWithoutCase = [
  ['Straße', 'STRASSE'],
  ['straße', 'strasse'],
  ['É', 'é'],
  ['ſ', 'S'],
  ['\u212a', 'k'],
  ['\u212b', 'å'],
  ['ΟΔΟΣ', 'οδος'],
  ['οδοσ', 'οδος'],
  ['ǅ', 'ǆ'],
  ['Ǆ', 'ǅ'],
  ['ﬁn', 'FIN'],
  ['𐐀', '𐐨'],
  ['ı', 'I'],
  ['µ', 'Μ'],
] as const;
const differentWithoutCase = [
  ['ẞ', 'ss'],
  ['é', 'e\u0301'],
  ['İ', 'i'],
  ['a', 'á'],
  ['1', '١'],
  ['a ', 'a'],
  ['ﬁ', 'ﬂ'],
] as const;

export const tagListOrder: Suite = suite(
  {
    id: 'tags/lists/order-of-texts',
    requirements: ['TAG-073'],
    level: 'MUST',
    beyond: true,
    explanation: 'Keys, values and the items of the summary come in the order of their code points.',
    run: async (t) => {
      const key = t.name('key');
      // Each value of a key needs a resource for itself.
      const values = [...sample(t, texts, 2), ...sample(t, valueTexts, 2)].map((text) => `v${text}`);
      await forEachOf(values.toReversed(), async (value) => {
        await t.setTags({ resource_type: 'worker', resource_id: t.name('valued') }, { [key]: value });
      });
      const listed = (await page<string>(t, `/tags/values/${key}`)).items;
      assert.deepEqual(listed, values.toSorted(byCodePoint), 'expected values by code point');
      const keys = [...texts, '_', '.', '-'].map((text) => `${key}x${text}`);
      const tags = Object.fromEntries(keys.toReversed().map((one, i) => [one, String(i)]));
      await t.setTags({ resource_type: 'worker', resource_id: t.name('keyed') }, tags);
      const ours = (text: string): boolean => text.startsWith(`${key}x`);
      const ordered = keys.toSorted(byCodePoint);
      assert.deepEqual((await walked<string>(t, '/tags/keys')).filter(ours), ordered, 'expected keys by code point');
      const items = await walked<SummaryItem>(t, '/tags/summary');
      const summary = items.map((one) => one.key).filter(ours);
      assert.deepEqual(summary, ordered, 'expected the items of the summary by code point');
      const item = items.find((one) => one.key === key);
      assert.deepEqual(item?.values, listed, 'expected the values of the summary in the same order');
    },
  },
  {
    id: 'tags/lists/order-of-resources',
    requirements: ['TAG-073'],
    level: 'MUST',
    beyond: true,
    needs: ['zone id'],
    explanation: 'Resources come by type, zone, parent and id, each by code point.',
    run: async (t) => {
      const key = t.name('key');
      const prefix = t.name('id');
      const plain = sample(t, texts, 2).map((text) => ({
        resource_type: 'worker',
        resource_id: `${prefix}${text}`,
      }));
      const versions = [`${prefix}\ufb01`, `${prefix}𐐀`].flatMap((worker_id, i) =>
        sample(t, ['2', '1', '10'], i + 1).map((text) => ({
          resource_type: 'worker_version',
          resource_id: `${prefix}${text}`,
          worker_id,
        })),
      );
      const others = [{ resource_type: 'queue', resource_id: `${prefix}m` }];
      const all = [...plain, ...versions, ...others].toReversed();
      const valueOf = (i: number): string => ['a', 'b', 'c'][i % 3] ?? '';
      await forEachOf(all, async (resource, i) => await t.setTags(resource, { [key]: valueOf(i) }));
      const zoned = ['dns_record'].map((resource_type) => ({
        resource_type,
        resource_id: `${prefix}n`,
      }));
      await forEachOf(zoned, async (resource, i) => await t.setTags(resource, { [key]: valueOf(i) }, { at: 'zone' }));
      const expected = [...all, ...zoned]
        .map((one): readonly string[] => [
          one.resource_type,
          'worker_id' in one ? String(one.worker_id) : '',
          one.resource_id.slice(prefix.length),
        ])
        .toSorted((a, b) => a.map((text, i) => byCodePoint(text, String(b[i]))).find((apart) => apart !== 0) ?? 0);
      const ids = [...new Set([...all, ...zoned].map(({ resource_id }) => resource_id))];
      const queries = [
        `tag=${key}`,
        `tag=${key}=c,a,b`,
        `tag=${key.toUpperCase()}=B,C,A&case_insensitive=true`,
        `tag=!${key}.none&name=${prefix}`,
        `tag=${key}&${repeated('type', ['worker_version', 'zone_ruleset', 'worker', 'dns_record', 'queue', 'image'])}`,
        repeated('id', ids),
      ];
      for (const query of sample(t, queries, 2)) {
        const { items } = await page<ListedResource & { readonly worker_id?: string }>(t, `/tags/resources?${query}`);
        const found = items.map(({ type, id, worker_id = '' }) => [type, worker_id, id.slice(prefix.length)]);
        assert.deepEqual(found, expected, `${query.slice(0, 100)}: expected this order`);
      }
    },
  },
  {
    id: 'tags/lists/folding',
    requirements: ['TAG-071'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Case is ignored code point by code point, to upper case and the result to lower case, without locale.',
    run: async (t) => {
      const pairs = [...equalWithoutCase, ...differentWithoutCase];
      const key = t.name('key');
      const id = t.name('worker');
      const tags = Object.fromEntries(pairs.map(([text], i) => [`${key}.${i}`, text]));
      await t.setTags({ resource_type: 'worker', resource_id: id }, tags);
      const filters = pairs.map(([text, other], i) => {
        const equal = i < equalWithoutCase.length;
        assert.equal(foldCase(text) === foldCase(other), equal, `${text} and ${other}: the rule itself says otherwise`);
        return `tag=${key}.${i}${equal ? '=' : '!='}${encodeURIComponent(other)}`;
      });
      // All filters of a request must match, so one shows each pair of texts to be equal, or to differ.
      for (const some of [filters.slice(0, equalWithoutCase.length), filters.slice(equalWithoutCase.length)]) {
        const found = await listedIds(t, `${some.join('&')}&case_insensitive=true&id=${id}`);
        assert.deepEqual(found, [id], `${decodeURIComponent(some.join(' '))}: expected each of these filters to match`);
      }
      const named = `${t.name('named')}.Straße.ΟΔΟΣΑ.ΟΔΟΣ`;
      const keyed = `${t.name('Straße')}`;
      await t.setTags({ resource_type: 'worker', resource_id: named }, { [keyed]: '' });
      for (const name of sample(t, ['.STRASSE.', 'sse.οδος', 'σα.ΟΔος', '.οδοσ'], 1)) {
        const query = `name=${encodeURIComponent(name)}&id=${encodeURIComponent(named)}`;
        assert.deepEqual(await listedIds(t, query), [named], `name ${name}: expected the resource`);
      }
      const spelled = encodeURIComponent(keyed.toUpperCase());
      const found = await listedIds(t, `tag=${spelled}&case_insensitive=true`);
      assert.deepEqual(found, [named], 'expected the case of a key to be ignored so, too');
    },
  },
  {
    id: 'tags/lists/key-of-values',
    requirements: ['TAG-074'],
    level: 'MUST',
    explanation: 'The key in the path of values is percent-decoded once, and a plus stays one.',
    run: async (t) => {
      const key = `${t.name('key')}.Équipe.环`;
      await t.setTags({ resource_type: 'worker', resource_id: t.name('worker') }, { [key]: 'found' });
      const encoded = encodeURIComponent(key);
      const every = Array.from(Buffer.from(key), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      for (const one of sample(t, [encoded, every, every.toUpperCase()], 2)) {
        assert.deepEqual(
          (await page(t, `/tags/values/${one}`)).items,
          ['found'],
          `values of ${one}: expected it to be read`,
        );
      }
      const wrong = [`${encoded}+`, 'a+b', `${encoded}%2B`, `${encoded}%20`, encodeURIComponent(every), '%2541'];
      for (const one of sample(t, wrong, 2)) {
        await refuses(t, ['GET', `/tags/values/${one}`], refusals.invalidKey);
      }
    },
  },
);
