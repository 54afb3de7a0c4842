/** `list` of docs/specification/binding.md. */

import assert from 'node:assert/strict';
import type { RepoList } from '../../core/binding.ts';
import { suite, type Suite } from '../../core/case.ts';
import { assertMembers, withoutDetails } from '../../steps/values.ts';
import { assertRejected } from './rejections.ts';

const itemMembers = [
  'id',
  'name',
  'description',
  'defaultBranch',
  'createdAt',
  'updatedAt',
  'lastPushAt',
  'source',
  'readOnly',
  'status',
];

export const lists: Suite = suite(
  {
    id: 'binding/list/pages',
    requirements: ['BIND-045', 'BIND-046', 'BIND-047', 'REPO-094'],
    level: 'MUST',
    needs: ['binding'],
    explanation: 'Pages show every repo once, newest first, with the number of all; the last one has no cursor.',
    async run(t) {
      const binding = t.binding();
      const before = (await binding.list({ limit: 1 })).total;
      const made: string[] = [];
      for (let i = 0; i < 5; i += 1) {
        const { id } = await binding.create(t.name('listed'), { description: `${i}` });
        made.unshift(id);
        // Times have milliseconds, and the order newest first shows only between different times.
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      const total = before + made.length;
      const pages: RepoList[] = [];
      let cursor: string | undefined;
      do {
        const page: RepoList = await binding.list({ limit: 2, cursor });
        pages.push(page);
        cursor = page.cursor;
        assert.ok(pages.length <= total, 'expected the walk to end');
      } while (cursor !== undefined);
      const walked = pages.flatMap(({ repos }) => repos);
      assert.deepEqual(
        walked.slice(0, 5).map(({ id }) => id),
        made,
        'expected the newest first',
      );
      assert.equal(walked.length, total, 'expected each repo once');
      assert.ok(
        pages.every((page) => page.total === total),
        'expected the number of all on each page',
      );
      for (const page of pages.slice(0, -1)) {
        assertMembers(page, ['repos', 'total', 'cursor'], 'a page that others follow');
        assert.ok(page.cursor !== '', 'expected a cursor');
      }
      assertMembers(pages.at(-1) as RepoList, ['repos', 'total'], 'the last page');
      const [first] = walked;
      assertMembers(first as object, itemMembers, 'an entry');
      const { remote: _, ...info } = withoutDetails(await (await binding.get(first?.name)).info());
      assert.deepEqual(first, { ...info, status: 'ready' }, 'expected the entry to be its info');
      const all = await binding.list({ limit: 200, cursor: undefined });
      assert.deepEqual(all.repos, walked, 'expected the same on one page');
      assert.deepEqual((await binding.list(undefined)).repos.slice(0, 5), walked.slice(0, 5), 'expected it by default');
    },
  },
  {
    id: 'binding/list/refused',
    requirements: ['BIND-045', 'BIND-047', 'BIND-080', 'BIND-085', 'REPO-093'],
    level: 'MUST',
    beyond: true,
    needs: ['binding'],
    explanation: 'A limit out of range and a cursor that is damaged or of another list are refused.',
    async run(t) {
      const binding = t.binding();
      for (const limit of [0, -1, 201, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null, true]) {
        await assertRejected(t, binding.list({ limit }), 'INVALID_INPUT', `list({ limit: ${String(limit)} })`);
      }
      await binding.create(t.name());
      await binding.create(t.name());
      const { cursor = '' } = await binding.list({ limit: 1 });
      const query = `/namespaces/${binding.namespace}/repos?limit=1&sort=name`;
      const other = (await t.rest('GET', query)).json.result_info.cursor as string;
      for (const bad of ['x', `${cursor}x`, cursor.slice(0, -2), other, 7, {}, 'é']) {
        await assertRejected(t, binding.list({ cursor: bad }), 'INVALID_INPUT', `list({ cursor: ${String(bad)} })`);
      }
    },
  },
);
