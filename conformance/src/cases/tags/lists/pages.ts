import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import { holds } from '../../../steps/holds.ts';
import type { Tags } from '../support/filter-model.ts';
import {
  byCodePoint,
  page,
  pageMax,
  walk,
  walked,
  type ListedResource,
  type SummaryItem,
} from '../support/tag-lists.ts';
import { forEachOf, numbered } from '../support/tagged-resources.ts';

export const tagPages: Suite = suite(
  {
    id: 'tags/pages/hundred',
    requirements: ['TAG-075', 'TAG-076', 'TAG-077', 'TAG-137'],
    level: 'MUST',
    explanation: 'A page of resources or values has 100 items; a cursor comes when at least one more follows.',
    run: async (t) => {
      const [all, most] = [t.name('all'), t.name('most')];
      const ids = numbered(pageMax + 1, t.name('id'));
      await forEachOf(ids, async (id, i) => {
        const tags = { [all]: String(i).padStart(3, '0'), ...(i > 0 && { [most]: String(i).padStart(3, '0') }) };
        await t.setTags({ resource_type: 'worker', resource_id: id }, tags);
      });
      const values = numbered(pageMax + 1).map((text) => text.slice(1));
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
      for (const more of ['', '&cursor=', '&per_page=5&limit=5&page=2&count=5', '&per_page=1000&limit=1000']) {
        await expectTwoPages<ListedResource>(`/tags/resources?tag=${all}`, more, ({ id }) => id);
      }
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
      const keys = numbered(2 * pageMax + 1, t.name('key'));
      const tags = Object.fromEntries(keys.map((key) => [key, key.slice(-4)]));
      await t.setTags({ resource_type: 'worker', resource_id: t.name('worker') }, tags);
      for (const path of ['/tags/keys', '/tags/summary']) {
        const pages: (readonly (string | SummaryItem)[])[] = [];
        for await (const items of walk<string | SummaryItem>(t, path)) pages.push(items);
        // Fewer items are also right: a page of long values may end earlier (TAG-075 has only a maximum).
        assert.ok(pages.length > 2, `${path}: expected more than two pages of 201 keys`);
        const keyOf = (one: string | SummaryItem): string => (typeof one === 'string' ? one : one.key);
        const items = pages
          .flat()
          .filter((one) => keys.includes(keyOf(one)))
          .toSorted((one, other) => byCodePoint(keyOf(one), keyOf(other)));
        const expected = path === '/tags/keys' ? keys : keys.map((key) => ({ key, values: [tags[key]] }));
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
      const key = t.name('key');
      const prefix = t.name('id');
      const ids = numbered(pageMax + 30, prefix);
      // Items at the end of a page are removed, too.
      const stays = ids.filter((_, i) => i % 10 !== 9);
      const goes = ids.filter((_, i) => i % 10 === 9);
      const set = async (id: string, more = {}): Promise<unknown> =>
        await t.setTags({ resource_type: 'worker', resource_id: id }, { [key]: id.slice(-4), ...more });
      await forEachOf(ids, async (id) => await set(id));
      const change = async (step: number): Promise<void> => {
        const body = (id = ''): unknown => ({ resource_type: 'worker', resource_id: id });
        await Promise.all([
          ...goes.slice(step * 6, step * 6 + 12).map(async (id) => await t.tags('DELETE', '/tags', { body: body(id) })),
          ...[1, 2, 3].map(async (i) => await set(`${ids[(step * 70 + i * 40) % ids.length]}-new-${step}`)),
          // The remaining items change, too, but still match.
          ...stays.slice(step * 60, step * 60 + 3).map(async (id) => await set(id, { [`${key}.more`]: 'x' })),
        ]);
      };
      for (const path of [`/tags/resources?tag=${key}`, `/tags/values/${key}`]) {
        const seen: string[] = [];
        let step = 0;
        for await (const items of walk<ListedResource | string>(t, path)) {
          seen.push(...items.map((item) => (typeof item === 'string' ? `${prefix}${item}` : item.id)));
          await change(step++);
        }
        const found = seen.filter((id) => stays.includes(id));
        assert.deepEqual(found, stays, `${path}: expected what stayed exactly once, in order`);
        assert.equal(new Set(seen).size, seen.length, `${path}: expected nothing twice`);
        await forEachOf(goes, async (id) => await set(id));
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
      const prefix = t.name('key');
      const stays = numbered(pageMax + 20, `${prefix}.`);
      const others = stays.flatMap((key) => [`${key}a`, `${key}b`]);
      const volatile = t.name('volatile');
      await t.setTags(
        { resource_type: 'worker', resource_id: t.name('stays') },
        Object.fromEntries(stays.map((key) => [key, 'stays'])),
      );
      const plan = fc.record({
        path: fc.constantFrom('/tags/keys', '/tags/summary'),
        changes: fc.array(fc.subarray(others), { minLength: 3, maxLength: 3 }),
      });
      const property = fc.asyncProperty(plan, async ({ path, changes }) => {
        const seen: string[] = [];
        let step = 0;
        for await (const items of walk<string | SummaryItem>(t, path)) {
          seen.push(...items.map((item) => (typeof item === 'string' ? item : item.key)));
          const keys = changes[step++] ?? [];
          const tags = Object.fromEntries(keys.map((key) => [key, `value ${step}`]));
          await t.setTags({ resource_type: 'worker', resource_id: volatile }, tags);
        }
        const found = seen.filter((key) => stays.includes(key));
        assert.deepEqual(found, stays, `${path}: expected every key that stayed exactly once`);
        assert.equal(new Set(seen).size, seen.length, `${path}: expected nothing twice`);
      });
      await holds(t, 6, property);
      const left = (await walked<string>(t, '/tags/keys')).filter((key) => stays.includes(key));
      assert.deepEqual(left, stays, 'expected every key that stayed after all');
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
      const key = t.name('key');
      const prefix = t.name('id');
      const types = ['image', 'queue', 'worker'] as const;
      const typeOf = (i: number): string => types[i % types.length] ?? '';
      const tagsOf = (i: number): Tags => ({
        [key]: String(i),
        ...(i % 8 > 0 && { [`${key}.rare`]: ['', 'no', 'x'][i % 8] ?? 'No' }),
      });
      const ids = numbered(pageMax + 25, prefix);
      const stays = ids.map((resource_id, i) => ({ resource_type: typeOf(i), resource_id, tags: tagsOf(i) }));
      await forEachOf(stays, async ({ tags, ...resource }) => await t.setTags(resource, tags));
      const asked = fc.record({
        tag: fc.constantFrom(`tag=${key}`, `tag=${key}.rare=no,x,No`, `tag=!${key}.none`),
        type: fc.constantFrom('', '&type=worker&type=image&type=queue', '&type=queue&type=worker'),
        ignoreCase: fc.boolean(),
      });
      const change = fc.record({ at: fc.nat({ max: ids.length - 1 }), gone: fc.boolean(), type: fc.nat({ max: 2 }) });
      const plan = fc.array(fc.array(change, { minLength: 4, maxLength: 8 }), { minLength: 3, maxLength: 3 });
      const write = async ({ at, gone, type }: { at: number; gone: boolean; type: number }): Promise<void> => {
        const other = { resource_type: typeOf(type), resource_id: `${ids[at]}-other` };
        if (gone) await t.tags('DELETE', '/tags', { body: other });
        else await t.setTags(other, { [key]: 'other', [`${key}.rare`]: 'no' });
        // The remaining items may change, as long as they still match.
        await t.setTags(
          { resource_type: typeOf(at), resource_id: ids[at] ?? '' },
          { ...tagsOf(at), [key]: `changed ${type}` },
        );
      };
      const property = fc.asyncProperty(asked, plan, async ({ tag, type, ignoreCase }, changes) => {
        const query = `${tag}${type}&name=${ignoreCase ? prefix.toUpperCase() : prefix}&case_insensitive=${ignoreCase}`;
        const seen: string[] = [];
        let step = 0;
        for await (const items of walk<ListedResource>(t, `/tags/resources?${query}`)) {
          seen.push(...items.map((item) => `${item.type} ${item.id}`));
          await forEachOf(changes[step++] ?? [], write);
        }
        const expected = stays
          .filter(({ resource_type }) => type === '' || type.includes(resource_type))
          .filter(({ tags }) => !tag.includes('rare') || `${key}.rare` in tags)
          .map(({ resource_type, resource_id }) => `${resource_type} ${resource_id}`)
          .toSorted(byCodePoint);
        const found = seen.filter((one) => !one.endsWith('-other'));
        assert.deepEqual(found, expected, `${query}: expected what stayed exactly once, in order`);
        assert.equal(new Set(seen).size, seen.length, `${query}: expected nothing twice`);
      });
      await holds(t, 5, property);
    },
  },
);
