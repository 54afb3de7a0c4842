import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { sample } from '../../../tools/dice.ts';
import type { Context } from '../../../core/context.ts';
import { assertSuccess, shown } from '../../../steps/replies.ts';
import { refuses, refusals, type Refusal } from '../support/refusals.ts';
import { listedIds, page, repeated } from '../support/tag-lists.ts';
import { numbered } from '../support/tagged-resources.ts';

/** Characters by category of Unicode. The last ones are outside of the basic plane. */
const keyCharacters = {
  Lu: 'AÉΩЖ𐐀',
  Ll: 'aéωж𐐨',
  Lt: 'ǅῼ',
  Lm: 'ʰᵃー',
  Lo: 'ªא环あ𠀀',
  Nd: '09٣९𝟘',
  'of their own': '_.-',
};
const otherCharacters = {
  Mn: ['e\u0301', '\u0301', '\u0903'],
  Mc: ['\u093e'],
  Me: ['\u20dd'],
  Nl: ['Ⅷ', '〇'],
  No: ['²', '½', '①'],
  Pc: ['‿'],
  Pd: ['–', '‐'],
  Ps: ['(', '['],
  Pe: [')', ']'],
  Pi: ['«'],
  Pf: ['»'],
  Po: ['!', '"', '#', '%', '&', "'", '*', ',', '/', ':', ';', '?', '@', '\\'],
  Sm: ['+', '<', '=', '>', '|', '~'],
  Sc: ['$', '€'],
  Sk: ['^', '`'],
  So: ['©', '😀'],
  Zs: [' ', '\u00a0', '\u3000'],
  Zl: ['\u2028'],
  Zp: ['\u2029'],
  Cc: ['\u0001', '\t', '\n', '\u007f'],
  Cf: ['\u200d', '\ufeff', '\u00ad'],
  Co: ['\ue000'],
  Cn: ['\uffff', '\u{10ffff}'],
};

/** One byte in UTF-8; one unit of UTF-16; two units and four bytes. */
const widths = ['a', '环', '𐐀'] as const;

const worker = (id: string): { readonly resource_type: string; readonly resource_id: string } => ({
  resource_type: 'worker',
  resource_id: id,
});

/** Expects that a resource accepts these tags and returns them unchanged. */
async function takes(t: Context, tags: Readonly<Record<string, string>>, what: string): Promise<void> {
  const id = t.name('worker');
  const made = await t.setTags(worker(id), tags);
  assert.deepEqual(made.tags, tags, `${what}: expected the set to answer with them`);
  const got = assertSuccess(await t.tags('GET', `/tags?resource_type=worker&resource_id=${id}`), 200, what);
  assert.deepEqual(got.tags, tags, `${what}: expected them unchanged`);
}

async function refusesTags(t: Context, tags: Readonly<Record<string, string>>, expected: Refusal): Promise<void> {
  await refuses(t, ['PUT', '/tags', { ...worker(t.name('worker')), tags }], expected);
}

export const tagLimits: Suite = suite(
  {
    id: 'tags/limits/key-characters',
    requirements: ['TAG-131', 'TAG-178'],
    level: 'MUST',
    explanation: 'Keys hold letters, decimal digits, `_`, `.` and `-` of any script, and no other character.',
    run: async (t) => {
      const prefix = t.name('key');
      const keys = Object.values(keyCharacters).flatMap((text) => Array.from(text));
      const alone = keys.map((key, i) => [key, `${prefix} ${i}`] as const);
      const inside = keys.map((key) => [`a${key}9`, ''] as const);
      await takes(t, Object.fromEntries([...alone, ...inside]), 'keys with each character');
      const wrong = Object.entries(otherCharacters).flatMap(([category, texts]) =>
        texts.map((text) => [category, text] as const),
      );
      for (const [i, [category, text]] of sample(t, wrong, 4).entries()) {
        const key = [`${prefix}${text}`, `${text}${prefix}`, `${prefix}${text}a`, text][i % 4] ?? text;
        const body = { ...worker(t.name('worker')), tags: { [key]: category } };
        await refuses(t, ['PUT', '/tags', body], refusals.invalidKey);
      }
    },
  },
  {
    id: 'tags/limits/key-characters-elsewhere',
    requirements: ['TAG-131', 'TAG-089', 'TAG-074'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'The characters of keys are the same in filters and in the path of values.',
    run: async (t) => {
      const key = Object.values(keyCharacters).join('');
      const encoded = encodeURIComponent(key);
      await page(t, `/tags/values/${encoded}`);
      await page(t, `/tags/resources?tag=${encoded}&id=${t.name('none')}`);
      for (const [i, [first]] of sample(t, Object.values(otherCharacters), 3).entries()) {
        const wrong = encodeURIComponent(`a${first}b`).replaceAll('!', '%21');
        const path = i % 2 === 0 ? `/tags/values/${wrong}` : `/tags/resources?tag=${wrong}=x`;
        await refuses(t, ['GET', path], refusals.invalidKey);
      }
    },
  },
  {
    id: 'tags/limits/lengths',
    requirements: ['TAG-132', 'TAG-133'],
    level: 'MUST',
    explanation: 'Keys have up to 256 characters and values up to 1,024, none included, however many bytes they take.',
    run: async (t) => {
      const longest = widths.map((character) => [character.repeat(256), character.repeat(1024)] as const);
      await takes(t, { ...Object.fromEntries(longest), a: '' }, 'the longest keys and values');
      for (const character of sample(t, widths, 1)) {
        await refusesTags(t, { [character.repeat(257)]: '' }, refusals.keyTooLong);
        await refusesTags(t, { a: character.repeat(1025) }, refusals.valueTooLong);
      }
    },
  },
  {
    id: 'tags/limits/lengths-elsewhere',
    requirements: ['TAG-132', 'TAG-133', 'TAG-089'],
    level: 'MUST',
    beyond: true,
    explanation: 'Keys and values have the same limits in filters and in the path of values.',
    run: async (t) => {
      const id = t.name('worker');
      const tags = Object.fromEntries(widths.map((character) => [character.repeat(256), character.repeat(1024)]));
      await t.setTags(worker(id), tags);
      for (const character of sample(t, widths, 1)) {
        const [one, key, value] = [character, character.repeat(256), character.repeat(1024)].map(encodeURIComponent);
        assert.deepEqual(await listedIds(t, `tag=${key}&id=${id}`), [id], `${character}: expected the longest key`);
        const found = await listedIds(t, `tag=x!=${value}&id=${id}`);
        assert.deepEqual(found, [id], `${character}: expected the longest value to be taken`);
        await page(t, `/tags/values/${key}`);
        await refuses(t, ['GET', `/tags/resources?tag=!${key}${one}`], refusals.keyTooLong);
        await refuses(t, ['GET', `/tags/resources?tag=a!=${value}${one}`], refusals.valueTooLong);
        await refuses(t, ['GET', `/tags/values/${key}${one}`], refusals.keyTooLong);
      }
    },
  },
  {
    id: 'tags/limits/queries',
    requirements: ['TAG-135', 'TAG-136', 'TAG-138', 'TAG-139'],
    level: 'MUST',
    explanation: 'A query has up to 20 filters, 10 values in each, 50 ids and a name of 256 characters.',
    run: async (t) => {
      const id = t.name('worker');
      const key = t.name('key');
      await t.setTags(worker(id), { [key]: 'v9' });
      const tag = (count: number): string =>
        repeated(
          'tag',
          numbered(count, 'none').map((none) => `!${none}`),
        );
      const filter = (count: number): string => `${key}=${Array.from({ length: count }, (_, i) => `v${i}`).join(',')}`;
      const ids = (count: number): string => repeated('id', [...numbered(count - 1, `${id}x`), id]);
      // The code of this refusal goes beyond the public service (TAG-166); `malformed/parameters` checks it.
      const isBad = async (query: string): Promise<void> => {
        const reply = await t.tags('GET', `/tags/resources?${query}`);
        assert.equal(reply.status, 400, `${query.slice(0, 200)}: expected 400, got ${shown(reply)}`);
      };
      const accepted = [`tag=${encodeURIComponent(filter(10))}&id=${id}`, `${tag(19)}&tag=${filter(10)}&${ids(50)}`];
      for (const query of accepted) {
        assert.deepEqual(await listedIds(t, query), [id], `${query.slice(0, 200)}: expected the resource`);
      }
      for (const character of sample(t, widths, 1)) {
        const name = encodeURIComponent(character.repeat(256));
        assert.deepEqual(
          await listedIds(t, `id=${id}&name=${name}`),
          [],
          `${character}: expected the name to be taken`,
        );
        await isBad(`name=${name}${encodeURIComponent(character)}`);
      }
      await refuses(t, ['GET', `/tags/resources?${tag(21)}`], refusals.tooManyFilters);
      await refuses(t, ['GET', `/tags/resources?tag=${filter(11)}`], refusals.tooManyValues);
      await refuses(t, ['GET', `/tags/resources?tag=${encodeURIComponent(filter(11))}`], refusals.tooManyValues);
      await isBad(ids(51));
      await isBad(`id=${id}&`.repeat(51));
    },
  },
  {
    id: 'tags/limits/spelling',
    requirements: ['TAG-145'],
    level: 'MUST',
    explanation: 'Keys and values are kept as they were sent: no case, form of Unicode or space is lost.',
    run: async (t) => {
      const key = t.name('key');
      const keys = [
        'env',
        'Env',
        'ENV',
        '\u00c5',
        '\u212b',
        'ﬁ',
        'fi',
        'K',
        '\u212a',
        '1',
        '１',
        '-',
        '.',
        '..',
        '__proto__',
      ];
      const values = [
        ' x ',
        'x',
        '\u00e9',
        'e\u0301',
        '\n',
        '\u00a0',
        '\ufeff',
        '\u200b',
        ' ',
        '',
        '\u2028',
        '\r\n',
        'null',
      ];
      const tags = Object.fromEntries(keys.map((one, i) => [one, values[i % values.length] ?? '']));
      await takes(t, tags, 'keys that are alike');
      const id = t.name('worker');
      await t.setTags(worker(id), Object.fromEntries(values.map((value, i) => [`${key}.${i}`, value])));
      const filters = values.map((value, i) => `${key}.${i}=${encodeURIComponent(value)}`);
      const all = filters.map((filter) => `tag=${filter}`).join('&');
      assert.deepEqual(await listedIds(t, all), [id], 'expected filters to find each value');
      for (const [i, value] of sample(t, [...values.entries()], 2)) {
        const found = (await page(t, `/tags/values/${key}.${i}`)).items;
        assert.deepEqual(found, [value], `${JSON.stringify(value)}: expected it among the values as it is`);
      }
      const other = `tag=${key}.2=${encodeURIComponent('e\u0301')}`;
      assert.deepEqual(await listedIds(t, other), [], 'expected another form of Unicode to be another value');
    },
  },
);
