import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { assertRefusal, refusals } from '../support/refusals.ts';
import { hundredWorkers, longKeys } from '../support/shared-tags.ts';
import { numbered } from '../support/tagged-resources.ts';
import { byCodePoint, page, pageMax, walked, type ListedResource, type SummaryItem } from '../support/tag-lists.ts';
import { sample } from '../../../tools/dice.ts';

type Where = Parameters<Context['tags']>[2];

async function refusesCursor(t: Context, path: string, where: Where = {}): Promise<void> {
  const reply = await t.tags('GET', path, where);
  const what = `GET ${path.slice(0, 300)}`;
  assertRefusal(reply, refusals.cursor, what);
  assert.deepEqual(reply.json.errors[0].source, { pointer: '/cursor' }, `${what}: expected this source`);
}

/** Returns the cursor of the first page of all keys, of which there are more than a page holds. */
async function cursorOfKeys(t: Context): Promise<string> {
  await longKeys(t);
  const { cursor } = await page(t, '/tags/keys');
  assert.ok(cursor !== null, 'expected a cursor, since more keys follow');
  return cursor;
}

/** Returns a text of 1,024 characters, outside of the basic plane after its beginning. */
function longest(start: string): string {
  return start + '𐐀'.repeat(1024 - Array.from(start).length);
}

export const tagCursors: Suite = suite(
  {
    id: 'tags/cursors/damaged',
    requirements: ['TAG-078', 'TAG-080', 'TAG-141'],
    level: 'MUST',
    beyond: true,
    explanation: 'A cursor that is damaged, made up, too long, or of another route is refused.',
    run: async (t) => {
      const cursor = await cursorOfKeys(t);
      const made = [
        '0',
        'null',
        '%00',
        '%FF',
        '%',
        '%F0%9F%98%80',
        'bnM6ZGVmYXVsdA',
        'A'.repeat(1024),
        'A'.repeat(1025),
      ];
      const near = [`${cursor}%3D`, `${cursor}A`, `%20${cursor}`, `${cursor}+`, cursor.slice(0, -1), cursor.slice(1)];
      for (const wrong of [...sample(t, made, 1), ...sample(t, near, 1), `${cursor}${cursor}`]) {
        await refusesCursor(t, `/tags/keys?cursor=${wrong}`);
      }
      for (const path of sample(t, ['/tags/summary', '/tags/resources', '/tags/values/none'], 2)) {
        await refusesCursor(t, `${path}?cursor=${cursor}`);
      }
      const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.');
      const damage = fc.record({ at: fc.nat({ max: cursor.length - 1 }), put: letters });
      const property = fc.asyncProperty(damage, async ({ at, put }) => {
        fc.pre(cursor[at] !== put);
        await refusesCursor(t, `/tags/keys?cursor=${cursor.slice(0, at)}${put}${cursor.slice(at + 1)}`);
      });
      await holds(t, 2, property);
      await page(t, `/tags/keys?cursor=${cursor}`);
    },
  },
  {
    id: 'tags/cursors/other-account',
    requirements: ['TAG-078', 'REPO-011'],
    level: 'MUST',
    beyond: true,
    needs: ['other account'],
    explanation: 'A cursor of another account is refused.',
    run: async (t) => {
      const { account, apiToken: token } = t.other;
      // These come first. The cursor holds the last of them, and that of a long key only where it is kept.
      const short = numbered(pageMax + 1, `-${t.name('key')}`).map((key) => [key, ''] as const);
      await t.setTags({ resource_type: 'worker', resource_id: t.name('worker') }, Object.fromEntries(short));
      for (const { cursor } of [await page(t, '/tags/keys'), { cursor: await cursorOfKeys(t) }]) {
        await refusesCursor(t, `/tags/keys?cursor=${cursor}`, { at: { account }, token });
      }
    },
  },
  {
    id: 'tags/cursors/longest',
    requirements: ['TAG-077', 'TAG-078', 'TAG-080', 'TAG-141'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Cursors are at most 1,024 characters also where ids and values are as long as can be; each holds for its filters alone.',
    run: async (t) => {
      const { prefix, ids: short, longest: key } = await hundredWorkers(t);
      // The last of the first page has the longest id and value, and so has the cursor behind it.
      const long = longest(`${short[pageMax - 2]}.${t.name('own')}`);
      const ids = [...short, long].toSorted(byCodePoint);
      const values = ids.map((id) => id.slice(prefix.length));
      const last = longest(values[pageMax - 1] ?? '');
      values[pageMax - 1] = last;
      await t.setTags({ resource_type: 'worker', resource_id: long }, { [key]: last });
      const query = `tag=${key}&type=worker&name=${prefix}`;
      const path = `/tags/values/${key}`;
      const [first, firstValues] = [await page<ListedResource>(t, `/tags/resources?${query}`), await page(t, path)];
      assert.deepEqual(
        first.items.map(({ id }) => id),
        ids.slice(0, pageMax),
        'expected a page of resources, the longest at its end',
      );
      assert.deepEqual(
        firstValues.items,
        values.slice(0, pageMax),
        'expected a page of values, the longest at its end',
      );
      assert.deepEqual(
        (await page(t, `${path}?cursor=${firstValues.cursor}`)).items,
        values.slice(pageMax),
        'expected the other values behind it',
      );

      const { cursor } = first;
      assert.ok(cursor !== null, 'expected a cursor, since more follow');
      const others = [
        `tag=${key}&type=worker`,
        `tag=${key}&name=${prefix}`,
        `type=worker&name=${prefix}`,
        `tag=${key}&type=worker&name=${prefix.slice(0, -1)}`,
        `tag=${key}&type=worker&type=queue&name=${prefix}`,
        `tag=${key}&tag=!none&type=worker&name=${prefix}`,
        `tag=!none&type=worker&name=${prefix}`,
        `${query}&id=${short[1]}`,
        `${query}&case_insensitive=true`,
      ];
      for (const other of sample(t, others, 2)) {
        await refusesCursor(t, `/tags/resources?${other}&cursor=${cursor}`);
      }
      const elsewhere = [`${path}?type=worker`, `${path}.x?`, '/tags/keys?', `/tags/resources?tag=${key}`];
      for (const other of sample(t, elsewhere, 1)) await refusesCursor(t, `${other}&cursor=${firstValues.cursor}`);
      const again = await page<ListedResource>(t, `/tags/resources?${query}&cursor=${cursor}`);
      assert.deepEqual(
        again.items.map(({ id }) => id),
        ids.slice(pageMax),
        'expected the cursor to work once more',
      );
    },
  },
  {
    id: 'tags/cursors/longest-keys',
    requirements: ['TAG-077', 'TAG-080', 'TAG-141'],
    level: 'MUST',
    beyond: true,
    explanation:
      'Cursors of keys and of the summary are at most 1,024 characters also where keys are as long as can be.',
    run: async (t) => {
      const keys = await longKeys(t);
      const listed = (await walked<string>(t, '/tags/keys')).filter((key) => keys.includes(key));
      assert.deepEqual(listed, keys, 'expected every key once');
      const summary = (await walked<SummaryItem>(t, '/tags/summary')).filter(({ key }) => keys.includes(key));
      assert.deepEqual(
        summary,
        keys.map((key) => ({ key, values: ['v'] })),
        'expected one item of the summary for every key',
      );
    },
  },
);
