import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { push, set } from '../../../tools/wire-client.ts';
import { walk, walked, type Row } from './walks.ts';
import { assertRefused, assertSuccess, failures } from '../../../steps/replies.ts';
import { assertMembers, timeOf } from '../../../steps/values.ts';

interface NamespaceRow {
  readonly namespace: string;
  readonly created_at: string;
}

export const cursors: Suite = suite(
  {
    id: 'rest/cursors/bound',
    requirements: ['REPO-093'],
    level: 'MUST',
    beyond: true,
    explanation: 'A cursor belongs to its list: namespace, sort, direction and search; with another it is refused.',
    run: async (t) => {
      const other = t.name('other');
      for (const name of ['a1', 'a2', 'a3']) await t.createRepo({ name });
      for (const name of ['a1', 'a2', 'a3']) await t.createRepo({ namespace: other, name });
      const path = `/namespaces/${t.namespace}/repos`;
      const query = 'sort=name&direction=asc&search=a';
      const { cursor } = (await t.rest('GET', `${path}?limit=1&${query}`)).json.result_info;
      for (const same of [
        `${path}?limit=2&${query}&cursor=${cursor}`,
        `${path}?limit=2&search=a&direction=asc&sort=name&cursor=${cursor}`,
        `/namespaces/${t.namespace.toUpperCase()}/repos?${query.replace('=a&', '=A&')}&cursor=${cursor}`,
      ]) {
        const rows = assertSuccess(await t.rest('GET', same), 200, `the same list, ${same}`);
        assert.deepEqual(
          rows.map(({ name }: Row) => name),
          ['a2', 'a3'],
          'expected the rows that remained',
        );
      }
      for (const wrong of [
        `${path}?${query.replace('=name', '=created_at')}&cursor=${cursor}`,
        `${path}?${query.replace('=asc', '=desc')}&cursor=${cursor}`,
        `${path}?${query}2&cursor=${cursor}`,
        `${path}?sort=name&direction=asc&cursor=${cursor}`,
        `${path}?cursor=${cursor}`,
        `/namespaces/${other}/repos?${query}&cursor=${cursor}`,
        `/namespaces?cursor=${cursor}`,
      ]) {
        await assertRefused(t, ['GET', wrong], failures.cursor);
      }
    },
  },
  {
    id: 'rest/cursors/damaged',
    requirements: ['REPO-093'],
    level: 'MUST',
    beyond: true,
    explanation: 'A damaged or made-up cursor is refused, and an empty one starts at the first page.',
    run: async (t) => {
      for (const name of ['a', 'b']) await t.createRepo({ name });
      const path = `/namespaces/${t.namespace}/repos?limit=1`;
      const { cursor } = (await t.rest('GET', path)).json.result_info as { cursor: string };
      const first = assertSuccess(await t.rest('GET', `${path}&cursor=`), 200, 'GET with an empty cursor');
      assert.deepEqual(
        first.map(({ name }: Row) => name),
        ['b'],
        'expected the first page',
      );
      const made = ['bnM6ZGVmYXVsdA', '0', 'null', '%00', '%F0%9F%98%80', 'A'.repeat(8000)];
      const near = [`${cursor}%3D`, `${cursor}A`, `%20${cursor}`, `${cursor}%20`, cursor.slice(0, -1), cursor.slice(1)];
      for (const wrong of [...made, ...near, cursor + cursor]) {
        await assertRefused(t, ['GET', `${path}&cursor=${wrong}`], failures.cursor);
      }
      const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');
      const damage = fc.record({ at: fc.nat({ max: cursor.length - 1 }), put: letters });
      const property = fc.asyncProperty(damage, async ({ at, put }) => {
        fc.pre(cursor[at] !== put);
        const wrong = cursor.slice(0, at) + put + cursor.slice(at + 1);
        await assertRefused(t, ['GET', `${path}&cursor=${wrong}`], failures.cursor);
      });
      await holds(t, 15, property);
    },
  },
  {
    id: 'rest/cursors/changing-list',
    requirements: ['REPO-094'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A walk by cursor returns every row that stays exactly once, whatever else is made, deleted and pushed to meanwhile.',
    run: async (t) => {
      const plan = fc.record({
        limit: fc.integer({ min: 1, max: 3 }),
        sort: fc.constantFrom('created_at', 'updated_at', 'last_push_at', 'name'),
        direction: fc.constantFrom('asc', 'desc'),
        changes: fc.array(fc.constantFrom('create', 'delete', 'push', 'none'), { minLength: 4, maxLength: 8 }),
      });
      const property = fc.asyncProperty(plan, async ({ limit, sort, direction, changes }) => {
        const namespace = t.name('walk');
        const stays = ['s1', 'S3', 's5', 's7', 's9'];
        const others = await makeMixed(t, namespace, stays);
        const seen: string[] = [];
        let step = 0;
        const path = `/namespaces/${namespace}/repos?limit=${limit}&sort=${sort}&direction=${direction}`;
        for await (const page of walk<Row>(t, path)) {
          seen.push(...page.map(({ name }) => name));
          // A walk in an order where pushes move rows to its end would never finish during pushes.
          const change = step < 12 ? changes[step % changes.length] : 'none';
          const other = others[step % others.length] as TestRepo;
          if (change === 'create') others.push(await t.createRepo({ namespace, name: `o${step}x` }));
          if (change === 'delete') await t.rest('DELETE', `/namespaces/${namespace}/repos/${other.name}`);
          // A deleted repo already refuses pushes; the deletion is also a change.
          if (change === 'push') await pushTo(other, step).catch(() => undefined);
          step += 1;
        }
        const stayed = seen.filter((name) => stays.includes(name));
        assert.deepEqual(stayed.toSorted(), stays.toSorted(), `${path}: expected every row that stayed once`);
      });
      await holds(t, 3, property);
    },
  },
  {
    id: 'rest/cursors/namespaces',
    requirements: ['LIM-003', 'REPO-071', 'REPO-092', 'REPO-094', 'REPO-103'],
    level: 'MUST',
    explanation: 'Namespaces are listed newest first, ties by name, and a walk by cursor returns each once.',
    run: async (t) => {
      const made = [t.name('a'), t.name('d'), t.name('c'), t.name('b'), t.name('e')];
      for (const namespace of made.slice(0, 2)) await t.rest('POST', '/namespaces', { body: { namespace } });
      // Created at once, some may have equal times.
      await Promise.all(made.slice(2).map(async (namespace) => t.rest('POST', '/namespaces', { body: { namespace } })));
      const oldest = assertSuccess(await t.rest('GET', `/namespaces/${made[0]}`), 200, 'GET of the first').created_at;
      const seen: NamespaceRow[] = [];
      for await (const page of walk<NamespaceRow>(t, '/namespaces?limit=2')) {
        seen.push(...page);
        // Others may use the account; rows older than ours do not matter.
        if (seen.some(({ created_at }) => created_at < oldest)) break;
      }
      const ours = seen.filter(({ namespace }) => made.includes(namespace));
      const names = ours.map(({ namespace }) => namespace);
      assert.deepEqual(names.toSorted(), made.toSorted(), 'expected every namespace that was made, once');
      assert.deepEqual(names.slice(-2), [made[1], made[0]], 'expected the newest first');
      for (const [i, row] of seen.entries()) {
        const before = seen[i - 1];
        if (before === undefined) continue;
        const [newer, older] = [timeOf(before.created_at, 'created_at'), timeOf(row.created_at, 'created_at')];
        assert.ok(newer >= older, 'expected the newest first on every page');
        const tied = newer === older && made.includes(row.namespace) && made.includes(before.namespace);
        if (tied) assert.ok(before.namespace < row.namespace, 'expected namespaces of equal age by name');
      }
    },
  },
  {
    id: 'rest/cursors/default-page',
    requirements: ['LIM-002', 'LIM-003', 'LIM-013', 'REPO-090', 'REPO-091', 'REPO-092'],
    level: 'MUST',
    explanation: 'A page has 50 repos or 100 namespaces unless the request says otherwise.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      for (let batch = 0; batch < 51; batch += 17) {
        await Promise.all(Array.from({ length: 17 }, async (_, i) => t.createRepo({ name: `r${batch + i}` })));
      }
      const page = await t.rest('GET', path);
      assert.equal(assertSuccess(page, 200, 'the list of 51 repos').length, 50, 'expected a page of 50');
      assert.equal(page.json.result_info.per_page, 50, 'expected per_page 50');
      const rows = await walked<Row>(t, `${path}?`);
      assert.equal(new Set(rows.map(({ id }) => id)).size, 51, 'expected every repo by cursor');
      const namespaces = await t.rest('GET', '/namespaces');
      assertSuccess(namespaces, 200, 'the list of namespaces');
      assert.equal(namespaces.json.result_info.per_page, 100, 'expected per_page 100');
      const { result_info: info } = (await t.rest('GET', '/namespaces?page=1&limit=1')).json;
      assertMembers(info, ['page', 'per_page', 'total_pages', 'count', 'total_count'], 'the offset form');
      assert.deepEqual([info.page, info.per_page, info.count], [1, 1, 1], 'expected the first page of one');
      assert.equal(info.total_pages, info.total_count, 'expected as many pages as namespaces');
    },
  },
);

/** Creates the repos that stay and others between them, and pushes to a few of both. Returns the others. */
async function makeMixed(t: Context, namespace: string, stays: readonly string[]): Promise<TestRepo[]> {
  const others: TestRepo[] = [];
  for (const [i, name] of stays.entries()) {
    const [stayer, other] = await Promise.all([
      t.createRepo({ namespace, name }),
      t.createRepo({ namespace, name: `o${2 * i}` }),
    ]);
    if (i % 2 === 0) await pushTo(stayer, i);
    others.push(other);
  }
  return others;
}

/** Pushes a new branch. */
async function pushTo(repo: TestRepo, step: number): Promise<void> {
  const node = change(`step ${step}`);
  await push(repo, [set(`refs/heads/b${step}`, node)], pack(...node.all));
}
