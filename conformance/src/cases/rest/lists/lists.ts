import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { push, set } from '../../../tools/wire-client.ts';
import { assertOrdered, walked, type Row } from './walks.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { assertMembers } from '../../../steps/values.ts';

const sorts = ['created_at', 'updated_at', 'last_push_at', 'name'] as const;
const directions = ['asc', 'desc'] as const;
const offsetMembers = ['page', 'per_page', 'total_pages', 'count', 'total_count'];

/** Creates repos one after the other, and returns the path of their list. */
async function fill(t: Context, names: readonly string[]): Promise<string> {
  for (const name of names) await t.createRepo({ name });
  return `/namespaces/${t.namespace}/repos`;
}

async function list(t: Context, path: string): Promise<readonly Row[]> {
  return assertSuccess(await t.rest('GET', path), 200, `GET ${path}`);
}

function namesOf(rows: readonly Row[]): readonly string[] {
  return rows.map(({ name }) => name);
}

export const lists: Suite = suite(
  {
    id: 'rest/lists/offset-form',
    requirements: ['LIM-002', 'REPO-075', 'REPO-090', 'REPO-091'],
    level: 'MUST',
    explanation: 'The offset form of result_info comes when a page was asked for, and when all rows fit in one.',
    run: async (t) => {
      const path = await fill(t, ['a', 'b', 'c']);
      const asked: readonly (readonly [query: string, info: readonly number[], rows: number])[] = [
        ['', [1, 50, 1, 3, 3], 3],
        ['?limit=3', [1, 3, 1, 3, 3], 3],
        ['?limit=200', [1, 200, 1, 3, 3], 3],
        ['?page=1', [1, 50, 1, 3, 3], 3],
        ['?page=1&limit=2', [1, 2, 2, 2, 3], 2],
        ['?page=2&limit=2', [2, 2, 2, 1, 3], 1],
        ['?page=3&limit=2', [3, 2, 2, 0, 3], 0],
        ['?page=9007199254740991', [9_007_199_254_740_991, 50, 1, 0, 3], 0],
        ['?search=b', [1, 50, 1, 1, 1], 1],
        ['?search=none', [1, 50, 0, 0, 0], 0],
        ['?search=none&page=2', [2, 50, 0, 0, 0], 0],
      ];
      for (const [query, values, rows] of asked) {
        const reply = await t.rest('GET', path + query);
        assert.equal(
          assertSuccess(reply, 200, `GET .../repos${query}`).length,
          rows,
          `${query}: expected ${rows} rows`,
        );
        const info = reply.json.result_info;
        assertMembers(info, offsetMembers, `GET .../repos${query}, the offset form`);
        assert.deepEqual(
          Object.values(info),
          values,
          `GET .../repos${query}: expected these values of ${offsetMembers.join()}`,
        );
      }
    },
  },
  {
    id: 'rest/lists/cursor-form',
    requirements: ['REPO-090', 'REPO-092'],
    level: 'MUST',
    explanation:
      'The cursor form of result_info comes when a cursor was sent, and when rows remain; a cursor wins over a page.',
    run: async (t) => {
      const path = await fill(t, ['a', 'b', 'c']);
      const first = await t.rest('GET', `${path}?limit=2`);
      assert.deepEqual(namesOf(assertSuccess(first, 200, 'the first page')), ['c', 'b'], 'expected the newest first');
      const { cursor, ...info } = first.json.result_info;
      assertMembers(first.json.result_info, ['cursor', 'per_page', 'count'], 'the cursor form');
      assert.deepEqual(info, { per_page: 2, count: 2 }, 'expected the counts of this page');
      assert.match(cursor, /^[A-Za-z0-9_.~-]+$/, 'expected a cursor that is safe in a URL');
      for (const query of [`limit=2&cursor=${cursor}`, `limit=2&page=7&cursor=${cursor}`]) {
        const last = await t.rest('GET', `${path}?${query}`);
        assert.deepEqual(namesOf(assertSuccess(last, 200, 'the last page')), ['a'], 'expected the row that remained');
        const expected = { cursor: '', per_page: 2, count: 1 };
        assert.deepEqual(last.json.result_info, expected, 'expected an empty cursor on the last page');
      }
      const longer = await t.rest('GET', `${path}?limit=3`);
      assertMembers(longer.json.result_info, offsetMembers, 'a page that holds all rows');
      assert.deepEqual(namesOf(await walked<Row>(t, `${path}?limit=1`)), ['c', 'b', 'a'], 'expected every row once');
    },
  },
  {
    id: 'rest/lists/search',
    requirements: ['REPO-114', 'LIM-016'],
    level: 'MUST',
    explanation: 'search keeps the names that contain it as it is, ignoring ASCII case; nothing in it is a pattern.',
    run: async (t) => {
      const names = ['Beta', 'alpha', 'ALP', 'a_b', 'a-b', 'a.b', 'axb', '100', 'Mark'];
      const path = await fill(t, names);
      for (const search of [
        'al',
        'AL',
        'a_b',
        '_',
        '-',
        '.',
        'a.',
        '%',
        '%25',
        '*',
        'b',
        '0',
        'alpha ',
        '',
        'é',
        "'",
        '"',
        '\\',
        '\0',
        '\u212A',
      ]) {
        const folded = search.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
        const expected = names.filter((name) => name.toLowerCase().includes(folded));
        const query = `?sort=name&search=${encodeURIComponent(search)}`;
        const found = namesOf(await list(t, path + query));
        assert.deepEqual(found.toSorted(), expected.toSorted(), `a search for ${JSON.stringify(search)}`);
      }
    },
  },
  {
    id: 'rest/lists/sort',
    requirements: ['REPO-114', 'REPO-115', 'REPO-057'],
    level: 'MUST',
    explanation: 'Lists sort by each value in both directions; a repo without a push counts as older than any.',
    run: async (t) => {
      const names = ['Beta', 'alpha', 'Gamma', 'ALP', 'a_b', 'a-b', 'a.b', 'a0'];
      const path = await fill(t, names);
      for (const name of ['alpha', 'Beta']) {
        const repo = { ...(await t.createRepo({ name: `${name}-pushed` })) };
        const node = change(name);
        await push(repo, [set('refs/heads/main', node)], pack(...node.all));
      }
      for (const sort of sorts) {
        for (const direction of directions) {
          const what = `the list by ${sort}, ${direction}`;
          const rows = await list(t, `${path}?sort=${sort}&direction=${direction}`);
          assert.equal(rows.length, names.length + 2, `${what}: expected every repo`);
          assertOrdered(rows, sort, direction, what);
        }
      }
      const byName = namesOf(await list(t, `${path}?sort=name&direction=asc&search=a`));
      const expected = ['a-b', 'a.b', 'a0', 'a_b', 'ALP', 'alpha', 'alpha-pushed', 'Beta', 'Beta-pushed', 'Gamma'];
      assert.deepEqual(byName, expected, 'expected names in lower case, byte by byte');
      const byPush = namesOf(await list(t, `${path}?sort=last_push_at`));
      assert.deepEqual(byPush.slice(0, 2), ['Beta-pushed', 'alpha-pushed'], 'expected the latest push first');
      const oldest = namesOf(await list(t, `${path}?sort=last_push_at&direction=asc`));
      assert.deepEqual(oldest.slice(-2), ['alpha-pushed', 'Beta-pushed'], 'expected repos without a push first');
      const usual = await list(t, path);
      assert.deepEqual(usual, await list(t, `${path}?sort=created_at&direction=desc`), 'expected the default order');
    },
  },
  {
    id: 'rest/lists/any-query',
    requirements: ['REPO-090', 'REPO-091', 'REPO-092', 'REPO-114', 'REPO-115'],
    level: 'MUST',
    explanation:
      'Whatever is asked of a list, its pages by number, by cursor and as a whole hold the same rows in the same order.',
    run: async (t) => {
      const names = ['b', 'A', 'ab', 'Ba', 'c', 'aB-', 'x1', 'X2', 'B.a', 'c_', 'C-a'];
      await Promise.all(names.map(async (name) => t.createRepo({ name })));
      const path = `/namespaces/${t.namespace}/repos`;
      const query = fc.record({
        sort: fc.constantFrom(...sorts),
        direction: fc.constantFrom(...directions),
        search: fc.constantFrom('', 'a', 'B', 'x', 'ba', '-', 'none'),
        limit: fc.integer({ min: 1, max: 12 }),
      });
      const property = fc.asyncProperty(query, async ({ sort, direction, search, limit }) => {
        const asked = `${path}?sort=${sort}&direction=${direction}&search=${search}`;
        const whole = await list(t, asked);
        assertOrdered(whole, sort, direction, asked);
        const expected = names.filter((name) => name.toLowerCase().includes(search.toLowerCase()));
        assert.deepEqual(namesOf(whole).toSorted(), expected.toSorted(), `${asked}: expected these repos`);
        const byCursor = await walked<Row>(t, `${asked}&limit=${limit}`);
        assert.deepEqual(namesOf(byCursor), namesOf(whole), `${asked}&limit=${limit}: expected the same by cursor`);
        const byNumber: Row[] = [];
        for (let page = 1; page <= Math.ceil(whole.length / limit); page++) {
          byNumber.push(...(await list(t, `${asked}&limit=${limit}&page=${page}`)));
        }
        assert.deepEqual(namesOf(byNumber), namesOf(whole), `${asked}&limit=${limit}: expected the same by page`);
      });
      await holds(t, 10, property);
    },
  },
);
