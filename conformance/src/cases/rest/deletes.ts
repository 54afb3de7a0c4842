import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { suite, type Suite } from '../../core/case.ts';
import { discover } from '../../tools/wire-client.ts';
import { assertRefused, assertSuccess, failures } from '../../steps/replies.ts';
import { only, tightSettings } from '../../steps/settings.ts';

export const deletes: Suite = suite(
  {
    id: 'rest/deletes/at-once',
    requirements: ['REPO-077', 'REPO-116', 'REPO-118', 'REPO-180', 'TOKEN-013'],
    level: 'MUST',
    beyond: true,
    explanation: 'A deleted repo is gone on every path as soon as that is acknowledged: records, lists, Git, tokens.',
    run: async (t) => {
      const repo = await t.createRepo({ name: 'Gone' });
      const kept = await t.createRepo({ name: 'kept' });
      const own = `/namespaces/${repo.namespace}`;
      const [{ id }] = assertSuccess(await t.rest('GET', `${own}/repos/gone/tokens`), 200, 'the list of tokens');
      assert.equal((await discover(repo)).status, 200, 'expected Git to be served before');
      const deleted = await t.rest('DELETE', `${own}/repos/gONE`);
      assert.deepEqual(assertSuccess(deleted, 202, 'DELETE'), { id: repo.id }, 'expected the id of the repo');

      for (const service of ['git-upload-pack', 'git-receive-pack'] as const) {
        const unknown = await discover({ ...kept, token: `${t.dialect.tokenPrefix}${'0'.repeat(40)}` }, { service });
        const gone = await discover(repo, { service });
        assert.deepEqual(
          [gone.status, gone.lines],
          [unknown.status, unknown.lines],
          `${service} of the deleted repo: expected the reply to an unknown token`,
        );
      }
      await assertRefused(t, ['GET', `${own}/repos/Gone`], failures.noRepo);
      await assertRefused(t, ['GET', `${own}/repos/Gone/tokens`], failures.noRepo);
      await assertRefused(t, ['POST', `${own}/tokens`, { repo: 'Gone' }], failures.noRepo);
      await assertRefused(t, ['DELETE', `${own}/tokens/${id}`], failures.noToken);
      for (const query of ['', '?search=gone', '?page=1', '?cursor=']) {
        const names = assertSuccess(await t.rest('GET', `${own}/repos${query}`), 200, 'the list of repos').map(
          ({ name }: { name: string }) => name,
        );
        assert.ok(!names.includes('Gone'), `the list of repos${query}: expected it to omit the repo`);
      }
      assert.equal((await discover(kept)).status, 200, 'expected the other repo to be served as before');
    },
  },
  {
    id: 'rest/deletes/name-free',
    requirements: ['REPO-047', 'REPO-116', 'REPO-117', 'TOKEN-005', 'TOKEN-013'],
    level: 'MUST',
    beyond: true,
    explanation: 'The name of a deleted repo is free at once for a new one, which no token of the old one opens.',
    run: async (t) => {
      const path = `/namespaces/${t.namespace}/repos`;
      const ids: string[] = [];
      let old: Awaited<ReturnType<typeof t.createRepo>> | undefined;
      for (let round = 0; round < 3; round++) {
        const repo = await t.createRepo({ name: 'again', body: { description: `${round}` } });
        assert.ok(!ids.includes(repo.id), 'expected an id that was never used');
        ids.push(repo.id);
        const got = assertSuccess(await t.rest('GET', `${path}/again`), 200, 'GET of the new repo');
        assert.deepEqual([got.id, got.description], [repo.id, `${round}`], 'expected the new repo');
        const tokens = assertSuccess(await t.rest('GET', `${path}/again/tokens?state=all`), 200, 'the list of tokens');
        assert.equal(tokens.length, 1, 'expected none of the tokens of the old repo');
        assert.equal((await discover(repo)).status, 200, 'Git with the token of the new repo: expected 200');
        if (old) assert.equal((await discover(old)).status, 403, 'Git with the token of the old repo: expected 403');
        assert.equal(
          assertSuccess(await t.rest('DELETE', `${path}/again`), 202, 'DELETE').id,
          repo.id,
          'expected its id',
        );
        old = repo;
      }
    },
  },
  {
    id: 'rest/deletes/repeated',
    requirements: ['LIM-015', 'REPO-077', 'REPO-117'],
    level: 'MUST',
    explanation: 'A repeated DELETE is 202 with the same id; one of a repo that never was is 404.',
    run: async (t) => {
      const repo = await t.createRepo({ name: 'twice' });
      const path = `/namespaces/${t.namespace}/repos`;
      for (const name of ['twice', 'twice', 'TWICE']) {
        const { id } = assertSuccess(await t.rest('DELETE', `${path}/${name}`), 202, `DELETE of ${name}`);
        assert.equal(id, repo.id, 'expected the id of the repo that was deleted');
      }
      await assertRefused(t, ['DELETE', `${path}/never`], failures.noRepo);
      await assertRefused(t, ['GET', `${path}/twice`], failures.noRepo);
      const count = assertSuccess(await t.rest('GET', `/namespaces/${t.namespace}`), 200, 'GET').repo_count;
      assert.equal(count, 0, 'expected a repeated DELETE to count once');
    },
  },
  {
    id: 'rest/deletes/forgotten',
    requirements: ['LIM-015', 'REPO-117'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(tightSettings, 'delete_memory'),
    explanation: 'The name of a deleted repo is remembered for delete_memory seconds and no longer.',
    run: async (t) => {
      await t.createRepo({ name: 'r' });
      const path = `/namespaces/${t.namespace}/repos/r`;
      assertSuccess(await t.rest('DELETE', path), 202, 'DELETE');
      await wait(tightSettings.delete_memory * 1000 + 100);
      await assertRefused(t, ['DELETE', path], failures.noRepo);
    },
  },
);
