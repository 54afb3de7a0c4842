import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { assertRefused, assertSuccess, badField, failures } from '../../steps/replies.ts';
import { assertMembers, timeOf } from '../../steps/values.ts';

const members = ['namespace', 'jurisdiction', 'repo_count', 'created_at', 'updated_at'];
/** All jurisdictions, in the order of REPO-050. */
const jurisdictions = ['unrestricted', 'eu', 'us'];

export const namespaces: Suite = suite(
  {
    id: 'rest/namespaces/create',
    requirements: ['REPO-046', 'REPO-050', 'REPO-062', 'REPO-070', 'REPO-072', 'REPO-100', 'REPO-168'],
    level: 'MUST',
    explanation: 'A namespace is made once, in any case of its letters, and shown with its members in order.',
    run: async (t) => {
      const namespace = t.name('Team');
      const path = `/namespaces/${namespace}`;
      await assertRefused(t, ['GET', path], failures.noNamespace);
      const created = assertSuccess(await t.rest('POST', '/namespaces', { body: { namespace } }), 201, 'POST');
      assertMembers(created, members, 'a namespace');
      timeOf(created.created_at, 'created_at');
      assert.deepEqual(
        created,
        {
          namespace,
          jurisdiction: 'unrestricted',
          repo_count: 0,
          created_at: created.created_at,
          updated_at: created.created_at,
        },
        'expected a new namespace without repos',
      );
      for (const other of [namespace, namespace.toUpperCase(), namespace.toLowerCase()]) {
        await assertRefused(t, ['POST', '/namespaces', { namespace: other }], failures.namespaceExists);
        const got = assertSuccess(await t.rest('GET', `/namespaces/${other}`), 200, `GET ${other}`);
        assert.deepEqual(got, created, `GET ${other}: expected the namespace as it was made`);
        assertMembers(got, members, 'a namespace');
      }
    },
  },
  {
    id: 'rest/namespaces/jurisdictions',
    requirements: ['REPO-050', 'REPO-100', 'REPO-101'],
    level: 'MUST',
    explanation:
      'A namespace has the jurisdiction it was made with, one of those that the deployment offers, and keeps it.',
    run: async (t) => {
      const odd = await t.rest('POST', '/namespaces', { body: { namespace: t.name(), jurisdiction: 'moon' } });
      const message: string = odd.json?.errors?.[0]?.message ?? '';
      const offered = [...message.matchAll(/"([^"]*)"/g)].map(([, one]) => one as string);
      const expected = jurisdictions.filter((one) => offered.includes(one));
      assert.deepEqual(offered, expected, 'expected a list of unrestricted, eu, us in this order, or of some of them');
      assert.ok(offered.includes('unrestricted'), 'expected unrestricted to be offered');
      const list = `Invalid option: expected one of ${offered.map((one) => `"${one}"`).join('|')}`;
      for (const jurisdiction of ['moon', '', 'EU', 1, ...jurisdictions.filter((one) => !offered.includes(one))]) {
        const body = { namespace: t.name(), jurisdiction };
        await assertRefused(t, ['POST', '/namespaces', body], badField('jurisdiction', list));
      }
      for (const jurisdiction of offered) {
        const namespace = t.name(jurisdiction);
        const body = { namespace, jurisdiction };
        const made = assertSuccess(
          await t.rest('POST', '/namespaces', { body }),
          201,
          `POST of one in ${jurisdiction}`,
        );
        assert.equal(made.jurisdiction, jurisdiction, 'expected the jurisdiction asked for');
        const repo = await t.createRepo({ namespace });
        const got = assertSuccess(await t.rest('GET', `/namespaces/${namespace}`), 200, 'GET with a repo in it');
        assert.equal(got.jurisdiction, jurisdiction, `expected the jurisdiction to stay, with ${repo.name} in it`);
      }
    },
  },
  {
    id: 'rest/namespaces/made-by-a-repo',
    requirements: ['REPO-102'],
    level: 'MUST',
    explanation:
      'The first repo makes its namespace, spelt as in the path and unrestricted; a later one keeps the spelling.',
    run: async (t) => {
      const namespace = t.name('Made');
      await t.createRepo({ namespace });
      const later = await t.createRepo({ namespace: namespace.toLowerCase() });
      const got = assertSuccess(await t.rest('GET', `/namespaces/${namespace.toUpperCase()}`), 200, 'GET');
      assert.deepEqual(
        [got.namespace, got.jurisdiction, got.repo_count],
        [namespace, 'unrestricted', 2],
        'expected the namespace of the first repo, with both',
      );
      assert.ok(later.remote.includes(`/${namespace}/`), `expected the stored spelling in the remote ${later.remote}`);
    },
  },
  {
    id: 'rest/namespaces/delete',
    requirements: ['REPO-073', 'REPO-104', 'REPO-105', 'REPO-169', 'REPO-181'],
    level: 'MUST',
    explanation:
      'An empty namespace is deleted with 204 and nothing else, in any case of its letters; one with repos is kept.',
    run: async (t) => {
      const repo = await t.createRepo();
      const own = `/namespaces/${repo.namespace}`;
      await assertRefused(t, ['DELETE', own], failures.namespaceNotEmpty);
      assertSuccess(await t.rest('GET', `${own}/repos/${repo.name}`), 200, 'GET of the repo in it');
      assertSuccess(await t.rest('DELETE', `${own}/repos/${repo.name}`), 202, 'DELETE of the repo in it');
      const deleted = await t.rest('DELETE', own.toUpperCase().replace('/NAMESPACES', '/namespaces'));
      assert.equal(
        deleted.status,
        204,
        `DELETE of the empty namespace: expected 204, got ${deleted.status} ${deleted.text}`,
      );
      assert.equal(deleted.text, '', 'expected an empty body');
      assert.equal(deleted.headers.get('content-type'), null, 'expected no Content-Type');
      await assertRefused(t, ['GET', own], failures.noNamespace);
      await assertRefused(t, ['DELETE', own], failures.noNamespace);
      const again = assertSuccess(
        await t.rest('POST', '/namespaces', { body: { namespace: repo.namespace } }),
        201,
        'POST of the name again',
      );
      assert.equal(again.repo_count, 0, 'expected a new namespace without repos');
      assertSuccess(await t.rest('GET', `${own}/repos`), 200, 'the list of its repos');
    },
  },
  {
    id: 'rest/namespaces/missing',
    requirements: ['REPO-089', 'REPO-104', 'REPO-167', 'TOKEN-009', 'TOKEN-012'],
    level: 'MUST',
    explanation: 'A missing namespace is 404; its list of repos is empty, and what would be in it is unknown.',
    run: async (t) => {
      const path = `/namespaces/${t.name('none')}`;
      await assertRefused(t, ['GET', path], failures.noNamespace);
      await assertRefused(t, ['DELETE', path], failures.noNamespace);
      const list = await t.rest('GET', `${path}/repos`);
      assert.deepEqual(assertSuccess(list, 200, 'the list of repos'), [], 'expected no repos');
      const info = { page: 1, per_page: 50, total_pages: 0, count: 0, total_count: 0 };
      assert.deepEqual(list.json.result_info, info, 'expected the offset form of an empty list');
      await assertRefused(t, ['GET', `${path}/repos/r`], failures.noRepo);
      await assertRefused(t, ['DELETE', `${path}/repos/r`], failures.noRepo);
      await assertRefused(t, ['GET', `${path}/repos/r/tokens`], failures.noRepo);
      await assertRefused(t, ['POST', `${path}/tokens`, { repo: 'r' }], failures.noRepo);
      await assertRefused(t, ['DELETE', `${path}/tokens/0000000000000000`], failures.noToken);
      await assertRefused(t, ['GET', path], failures.noNamespace);
    },
  },
  {
    id: 'rest/namespaces/repo-count',
    requirements: ['REPO-106'],
    level: 'MUST',
    beyond: true,
    explanation: 'repo_count follows creations and deletions at once, and updated_at changes with it.',
    run: async (t) => {
      const namespace = t.name('Counted');
      const path = `/namespaces/${namespace}`;
      const state = async (): Promise<readonly [count: number, updated: number, created: string]> => {
        const found = assertSuccess(await t.rest('GET', path), 200, 'GET of the namespace');
        return [found.repo_count, timeOf(found.updated_at, 'updated_at'), found.created_at];
      };
      const repos = [await t.createRepo({ namespace }), await t.createRepo({ namespace })];
      await new Promise((resolve) => setTimeout(resolve, 5));
      repos.push(await t.createRepo({ namespace }));
      let [count, updated, created] = await state();
      assert.equal(count, 3, 'expected a count of the repos made');
      assert.ok(updated > timeOf(created, 'created_at'), 'expected updated_at to change with creations');
      for (const repo of repos) {
        // Times have milliseconds, so two changes within one would look simultaneous.
        await new Promise((resolve) => setTimeout(resolve, 5));
        assertSuccess(await t.rest('DELETE', `${path}/repos/${repo.name}`), 202, 'DELETE of a repo');
        const [left, later, born] = await state();
        assert.equal(left, count - 1, 'expected the count to drop as soon as the delete is acknowledged');
        assert.ok(later > updated, 'expected updated_at to change with the count');
        assert.equal(born, created, 'expected created_at to stay');
        [count, updated, created] = [left, later, born];
      }
      assert.equal((await t.rest('DELETE', path)).status, 204, 'DELETE after the last repo: expected 204 at once');
    },
  },
);
