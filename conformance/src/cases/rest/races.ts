import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { RestReply } from '../../core/context.ts';
import { discover } from '../../tools/wire-client.ts';
import { assertFailure, assertSuccess, failures, repoExists, shown } from '../../steps/replies.ts';

/** Returns how many of the replies have a status. */
function countOf(replies: readonly RestReply[], status: number): number {
  return replies.filter((reply) => reply.status === status).length;
}

export const races: Suite = suite(
  {
    id: 'rest/races/one-repo-name',
    requirements: ['REPO-006', 'REPO-062', 'REPO-112'],
    level: 'MUST',
    explanation: 'Of many creations of one name at once, in any case of its letters, exactly one gets 201.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const names = ['Notes', 'notes', 'NOTES', 'nOtes', 'Notes', 'notes', 'noteS', 'NotEs'];
      const replies = await Promise.all(names.map(async (name) => t.rest('POST', path, { body: { name } })));
      assert.equal(countOf(replies, 201), 1, 'expected exactly one 201');
      for (const [i, reply] of replies.entries()) {
        if (reply.status === 201) continue;
        assertFailure(t, reply, repoExists(names[i] as string), `POST of ${names[i]}, at once with others`);
      }
      const made = replies.find(({ status }) => status === 201)?.json.result;
      const rows = assertSuccess(await t.rest('GET', path), 200, 'the list of repos');
      assert.deepEqual(
        rows.map(({ id, name }: { id: string; name: string }) => [id, name]),
        [[made.id, made.name]],
        'expected the one repo that was made',
      );
      const { repo_count: count } = assertSuccess(await t.rest('GET', `/namespaces/${t.namespace}`), 200, 'GET');
      assert.equal(count, 1, 'expected one repo to be counted');
    },
  },
  {
    id: 'rest/races/one-namespace',
    requirements: ['REPO-006', 'REPO-062', 'REPO-100'],
    level: 'MUST',
    explanation: 'Of many creations of one namespace at once exactly one gets 201.',
    run: async (t) => {
      const name = t.name('Race');
      const names = [name, name.toLowerCase(), name.toUpperCase(), name, name];
      const replies = await Promise.all(
        names.map(async (namespace) => t.rest('POST', '/namespaces', { body: { namespace } })),
      );
      assert.equal(countOf(replies, 201), 1, 'expected exactly one 201');
      for (const reply of replies) {
        if (reply.status !== 201) assertFailure(t, reply, failures.namespaceExists, 'POST at once with others');
      }
    },
  },
  {
    id: 'rest/races/first-repos',
    requirements: ['REPO-006', 'REPO-102'],
    level: 'MUST',
    explanation: 'Many first repos of a missing namespace, made at once, all come to be, in one namespace.',
    run: async (t) => {
      const names = Array.from({ length: 10 }, (_, i) => `r${i}`);
      const repos = await Promise.all(names.map(async (name) => t.createRepo({ name })));
      const got = assertSuccess(await t.rest('GET', `/namespaces/${t.namespace}`), 200, 'GET of the namespace');
      assert.equal(got.repo_count, names.length, 'expected every repo to be counted');
      const rows = assertSuccess(await t.rest('GET', `/namespaces/${t.namespace}/repos`), 200, 'the list of repos');
      const ids = rows.map(({ id }: { id: string }) => id);
      assert.deepEqual(ids.toSorted(), repos.map(({ id }) => id).toSorted(), 'expected every repo to be listed');
      const served = await Promise.all(repos.map(async (repo) => (await discover(repo)).status));
      assert.deepEqual(
        served,
        names.map(() => 200),
        'expected every repo to be served over Git at once',
      );
    },
  },
  {
    id: 'rest/races/one-deletion',
    requirements: ['REPO-117', 'REPO-106', 'TOKEN-012'],
    level: 'MUST',
    explanation: 'Many deletions of one repo, or revocations of one token, at once all get the same answer.',
    run: async (t) => {
      const repo = await t.createRepo();
      const own = `/namespaces/${repo.namespace}`;
      const [{ id }] = assertSuccess(
        await t.rest('GET', `${own}/repos/${repo.name}/tokens`),
        200,
        'the list of tokens',
      );
      const many = async (path: string): Promise<readonly RestReply[]> =>
        Promise.all(Array.from({ length: 6 }, async () => t.rest('DELETE', path)));
      for (const reply of await many(`${own}/tokens/${id}`)) {
        assert.deepEqual(assertSuccess(reply, 200, 'DELETE of a token at once with others'), { id }, 'expected its id');
      }
      for (const reply of await many(`${own}/repos/${repo.name}`)) {
        const result = assertSuccess(reply, 202, 'DELETE of a repo at once with others');
        assert.deepEqual(result, { id: repo.id }, 'expected its id');
      }
      const { repo_count: count } = assertSuccess(await t.rest('GET', own), 200, 'GET of the namespace');
      assert.equal(count, 0, 'expected the deletion to count once');
    },
  },
  {
    id: 'rest/races/delete-namespace',
    requirements: ['REPO-006', 'REPO-105'],
    level: 'MUST',
    explanation:
      'When a repo is made while its empty namespace is deleted, either the deletion is refused or the repo made is there after it.',
    run: async (t) => {
      for (let round = 0; round < 6; round++) {
        const namespace = t.name('race');
        const own = `/namespaces/${namespace}`;
        assertSuccess(await t.rest('POST', '/namespaces', { body: { namespace } }), 201, 'POST of the namespace');
        const create = async (): Promise<RestReply> => t.rest('POST', `${own}/repos`, { body: { name: 'r' } });
        const destroy = async (): Promise<RestReply> => t.rest('DELETE', own);
        const [created, deleted] =
          round % 2 === 0
            ? await Promise.all([create(), destroy()])
            : (await Promise.all([destroy(), create()])).toReversed();
        assert.ok(created && deleted, 'expected two replies');
        assert.ok(
          [204, 409].includes(deleted.status),
          `DELETE of the namespace: expected 204 or 409, got ${shown(deleted)}`,
        );
        assert.ok([201, 409].includes(created.status), `POST of a repo: expected 201 or 409, got ${shown(created)}`);
        if (created.status === 409) {
          const running = { status: 409, code: 10305, message: 'Namespace deletion in progress' };
          assertFailure(t, created, running, 'POST of a repo while its namespace is deleted');
          continue;
        }
        if (deleted.status === 409) {
          assertFailure(t, deleted, failures.namespaceNotEmpty, 'DELETE while a repo is made');
        }
        const got = assertSuccess(await t.rest('GET', `${own}/repos/r`), 200, 'GET of the repo that was acknowledged');
        assert.equal(got.id, created.json.result.id, 'expected the repo that was made');
        const { repo_count: count } = assertSuccess(await t.rest('GET', own), 200, 'GET of its namespace');
        assert.equal(count, 1, 'expected it to be counted');
      }
    },
  },
  {
    id: 'rest/races/delete-and-create',
    requirements: ['REPO-006', 'REPO-112', 'REPO-116', 'TOKEN-005'],
    level: 'MUST',
    beyond: true,
    explanation:
      'A name that is deleted and made again by many at once is one repo at the end, or none, and only its own token opens it.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const first = await t.createRepo({ name: 'r' });
      const replies = await Promise.all(
        Array.from({ length: 12 }, async (_, i) =>
          i % 2 === 0 ? t.rest('DELETE', `${path}/r`) : t.rest('POST', path, { body: { name: 'r' } }),
        ),
      );
      for (const reply of replies) {
        // A creation that a deletion cancelled reports that there is no such repo (REPO-119).
        assert.ok([201, 202, 404, 409].includes(reply.status), `expected 201, 202, 404 or 409, got ${shown(reply)}`);
      }
      const deletions = replies.filter((_, i) => i % 2 === 0);
      assert.equal(countOf(deletions, 202), deletions.length, 'expected every DELETE to be acknowledged');
      const made = replies.filter(({ status }) => status === 201).map(({ json }) => json.result);
      const ids = [first.id, ...made.map(({ id }) => id)];
      assert.equal(new Set(ids).size, ids.length, 'expected an id of its own for every repo made');
      const got = await t.rest('GET', `${path}/r`);
      const found = got.status === 404 ? undefined : assertSuccess(got, 200, 'GET of the name').id;
      for (const { id, remote, token } of [first, ...made]) {
        const { status } = await discover({ remote, token, fetch: t.fetch });
        assert.equal(status, id === found ? 200 : 403, 'expected the token of the last repo alone to open the name');
      }
      const { repo_count: count } = assertSuccess(await t.rest('GET', `/namespaces/${t.namespace}`), 200, 'GET');
      assert.equal(count, found === undefined ? 0 : 1, 'expected the count to agree');
    },
  },
);
