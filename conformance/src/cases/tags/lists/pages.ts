import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import { holds } from '../../../steps/holds.ts';
import { hundredWorkers, longKeys } from '../support/shared-tags.ts';
import { byCodePoint, page, pageMax, walk, type ListedResource, type SummaryItem } from '../support/tag-lists.ts';
import { forEachOf } from '../support/tagged-resources.ts';

export const tagPages: Suite = suite(
  {
    id: 'tags/pages/hundred',
    requirements: ['TAG-075', 'TAG-076', 'TAG-077', 'TAG-137'],
    level: 'MUST',
    explanation: 'A page of resources or values has 100 items; a cursor comes when at least one more follows.',
    run: async (t) => {
      const { ids, all, most, tagsOf } = await hundredWorkers(t);
      const values = ids.map((id) => tagsOf(id)[all] ?? '');
      /** Expects pages of 100 and of 1, in any order (other cases check TAG-073). */
      const expectTwoPages = async <T>(path: string, more: string, textOf: (item: T) => string): Promise<void> => {
        const first = await page<T>(t, path + more);
        assert.equal(first.items.length, pageMax, `${path}${more}: expected 100 items`);
        assert.ok(first.cursor !== null, `${path}${more}: expected a cursor, since one more follows`);
        const last = await page<T>(t, `${path}&cursor=${first.cursor}`);
        assert.deepEqual(
          [last.items.length, last.cursor],
          [1, null],
          `${path}${more}: expected one more, and no cursor`,
        );
        const found = [...first.items, ...last.items].map(textOf).toSorted();
        const wanted = path.includes('/values/') ? values : ids;
        assert.deepEqual(found, wanted, `${path}${more}: expected each item once`);
      };
      const exact = await page<ListedResource>(t, `/tags/resources?tag=${most}`);
      const found = exact.items.map(({ id }) => id).toSorted();
      assert.deepEqual([found, exact.cursor], [ids.slice(1), null], 'expected exactly 100 resources, and no cursor');
      const ignored = t.seed % 2 === 0 ? '&per_page=5&limit=5&page=2&count=5' : '&per_page=1000&limit=1000';
      await expectTwoPages<ListedResource>(`/tags/resources?tag=${all}`, `&cursor=${ignored}`, ({ id }) => id);
      const whole = await page<string>(t, `/tags/values/${most}?type=worker`);
      const listed = whole.items.toSorted();
      assert.deepEqual([listed, whole.cursor], [values.slice(1), null], 'expected exactly 100 values, and no cursor');
      await expectTwoPages<string>(`/tags/values/${all}?type=worker`, '', (text) => text);
    },
  },
  {
    id: 'tags/pages/keys-and-summary',
    requirements: ['TAG-075', 'TAG-076', 'TAG-077'],
    level: 'MUST',
    explanation: 'Keys and the summary come in pages of at most 100, each item once.',
    run: async (t) => {
      const keys = await longKeys(t);
      for (const path of ['/tags/keys', '/tags/summary']) {
        const pages: (readonly (string | SummaryItem)[])[] = [];
        for await (const items of walk<string | SummaryItem>(t, path)) pages.push(items);
        // Fewer items are also right: a page of long values may end earlier (TAG-075 has only a maximum).
        assert.ok(pages.length > 1, `${path}: expected more than one page of ${keys.length} keys`);
        const keyOf = (one: string | SummaryItem): string => (typeof one === 'string' ? one : one.key);
        const items = pages
          .flat()
          .filter((one) => keys.includes(keyOf(one)))
          .toSorted((one, other) => byCodePoint(keyOf(one), keyOf(other)));
        const expected = path === '/tags/keys' ? keys : keys.map((key) => ({ key, values: ['v'] }));
        assert.deepEqual(items, expected, `${path}: expected every key once`);
      }
    },
  },
  {
    id: 'tags/pages/walk-of-resources',
    requirements: ['TAG-079'],
    level: 'MUST',
    beyond: true,
    explanation: 'A walk returns each resource and value that stays exactly once, whatever else is set and removed.',
    run: async (t) => {
      const { ids: stays, prefix, walked: key, change: changeOne } = await hundredWorkers(t);
      const own = t.name('own');
      // The last item of the first page is removed, too: it is behind 98 that stay, and another of these.
      const goes = [10, 97, 98].map((at) => `${stays[at]}.${own}`);
      const set = async (id: string, value = id.slice(prefix.length)): Promise<unknown> =>
        await t.setTags({ resource_type: 'worker', resource_id: id }, { [key]: value });
      const change = async (): Promise<unknown> =>
        await Promise.all([
          ...goes.map(async (resource_id) => {
            await t.tags('DELETE', '/tags', { body: { resource_type: 'worker', resource_id } });
          }),
          // Behind the end of the page another comes, and one that stays changes but still matches.
          set(`${stays[99]}.${own}-new`),
          changeOne(stays[98] ?? '', { [own]: 'x' }),
        ]);
      for (const path of [`/tags/resources?tag=${key}`, `/tags/values/${key}`]) {
        await forEachOf(goes, async (id) => await set(id));
        const seen: string[] = [];
        for await (const items of walk<ListedResource | string>(t, path)) {
          const isFirst = seen.length === 0;
          seen.push(...items.map((item) => (typeof item === 'string' ? `${prefix}${item}` : item.id)));
          if (isFirst) await change();
        }
        const found = seen.filter((id) => stays.includes(id));
        assert.deepEqual(found, stays, `${path}: expected what stayed exactly once, in order`);
        assert.equal(new Set(seen).size, seen.length, `${path}: expected nothing twice`);
      }
    },
  },
  {
    id: 'tags/pages/walk-of-keys',
    requirements: ['TAG-079'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A walk of keys or of the summary returns each that stays exactly once, while random others come and go.',
    run: async (t) => {
      const stays = await longKeys(t);
      const others = stays.flatMap((key) => ['a', 'b'].map((letter) => `${key.slice(0, key.indexOf('𐐀'))}${letter}`));
      const volatile = t.name('volatile');
      const plan = fc.array(fc.subarray(others, { maxLength: 120 }), { minLength: 3, maxLength: 3 });
      let round = t.seed;
      const property = fc.asyncProperty(plan, async (changes) => {
        const path = round++ % 2 === 0 ? '/tags/keys' : '/tags/summary';
        const seen: string[] = [];
        let step = 0;
        for await (const items of walk<string | SummaryItem>(t, path)) {
          seen.push(...items.map((item) => (typeof item === 'string' ? item : item.key)));
          const keys = changes[step++];
          if (keys === undefined) continue;
          const tags = Object.fromEntries(keys.map((key) => [key, `value ${step}`]));
          await t.setTags({ resource_type: 'worker', resource_id: volatile }, tags);
        }
        const found = seen.filter((key) => stays.includes(key));
        assert.deepEqual(found, stays, `${path}: expected every key that stayed exactly once`);
        assert.equal(new Set(seen).size, seen.length, `${path}: expected nothing twice`);
      });
      await holds(t, 2, property);
    },
  },
  {
    id: 'tags/pages/random-walks',
    requirements: ['TAG-065', 'TAG-073', 'TAG-077', 'TAG-079'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Whatever a list asks for, a walk returns what stays and matches once and in order, while others write.',
    run: async (t) => {
      const { ids, prefix, change: changeOne } = await hundredWorkers(t);
      const own = t.name('own');
      const key = t.name('key');
      // Types before that of the workers, in the order of lists.
      const before = ['image', 'queue'].map((resource_type) => ({ resource_type, resource_id: `${ids[20]}.${own}` }));
      await forEachOf(before, async (resource) => await t.setTags(resource, { [key]: 'before' }));
      const asked = fc.record({
        tag: fc.constantFrom('', `tag=!${key}.none&`),
        type: fc.constantFrom('', 'type=worker&type=image&type=queue&', 'type=queue&type=worker&'),
        ignoreCase: fc.boolean(),
      });
      const change = fc.record({
        at: fc.nat({ max: ids.length - 1 }),
        gone: fc.boolean(),
        type: fc.constantFrom('image', 'queue', 'worker'),
      });
      const plan = fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 2 });
      const write = async ({ at, gone, type }: { at: number; gone: boolean; type: string }): Promise<void> => {
        const other = { resource_type: type, resource_id: `${ids[at]}.${own}-other` };
        if (gone) await t.tags('DELETE', '/tags', { body: other });
        else await t.setTags(other, { [key]: 'other' });
        // The remaining items may change, as long as they still match.
        await changeOne(ids[at] ?? '', { [own]: `changed ${type}` });
      };
      const property = fc.asyncProperty(asked, plan, async ({ tag, type, ignoreCase }, changes) => {
        const query = `${tag}${type}name=${ignoreCase ? prefix.toUpperCase() : prefix}&case_insensitive=${ignoreCase}`;
        const seen: string[] = [];
        let step = 0;
        for await (const items of walk<ListedResource>(t, `/tags/resources?${query}`)) {
          seen.push(...items.map((item) => `${item.type} ${item.id}`));
          await forEachOf(changes[step++] ?? [], write);
        }
        const expected = [...before, ...ids.map((resource_id) => ({ resource_type: 'worker', resource_id }))]
          .filter(({ resource_type }) => type === '' || type.includes(resource_type))
          .map(({ resource_type, resource_id }) => `${resource_type} ${resource_id}`)
          .toSorted(byCodePoint);
        const found = seen.filter((one) => expected.includes(one));
        assert.deepEqual(found, expected, `${query}: expected what stayed exactly once, in order`);
        assert.equal(new Set(seen).size, seen.length, `${query}: expected nothing twice`);
      });
      await holds(t, 1, property);
    },
  },
);
