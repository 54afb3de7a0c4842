import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, RestOptions, RestReply } from '../../core/context.ts';
import { accepted } from '../../steps/repo-with.ts';
import { change, pack } from '../../tools/made-objects.ts';
import { discover, set } from '../../tools/wire-client.ts';
import { assertFailure, assertSuccess, failures } from '../../steps/replies.ts';

/** Sends a request as the other account, below its base. */
async function asOther(t: Context, method: string, path: string, options: RestOptions = {}): Promise<RestReply> {
  const base = `${t.origin}${t.dialect.basePath}/accounts/${t.other.account}/${t.dialect.serviceSegment}`;
  return t.rest(method, path, { base, token: t.other.apiToken, ...options });
}

export const accounts: Suite = suite(
  {
    id: 'rest/accounts/separate',
    requirements: ['REPO-011', 'TOKEN-005'],
    level: 'MUST',
    needs: ['other account'],
    explanation:
      'Equal namespace and repo names of two accounts never meet: not in records, lists, tokens, Git or deletions.',
    run: async (t) => {
      const name = 'same';
      const namespace = t.name('both');
      const own = `/namespaces/${namespace}`;
      const repo = await t.createRepo({ namespace, name });
      const before = await asOther(t, 'GET', `${own}/repos/${name}`);
      assertFailure(t, before, failures.noRepo, 'GET as the other account');
      assertFailure(t, await asOther(t, 'GET', own), failures.noNamespace, 'GET of the namespace as the other');
      assert.deepEqual(
        assertSuccess(await asOther(t, 'GET', `${own}/repos`), 200, 'the list of the other account'),
        [],
        'expected no repo of the first account in it',
      );

      const body = { name, description: 'theirs' };
      const created = await asOther(t, 'POST', `${own}/repos`, { body });
      const theirs = assertSuccess(created, 201, 'POST of the same names as the other account');
      assert.notEqual(theirs.id, repo.id, 'expected two repos');
      assert.notEqual(theirs.remote, repo.remote, 'expected two remotes');
      const mine = assertSuccess(await t.rest('GET', `${own}/repos/${name}`), 200, 'GET as the first account');
      assert.deepEqual([mine.id, mine.description], [repo.id, null], 'expected the repo of the first account');

      const first = change('first');
      await accepted(repo, [set('refs/heads/main', first)], pack(...first.all));
      const refs = `${own}/repos/${name}/refs`;
      assert.equal(assertSuccess(await t.rest('GET', refs), 200, 'the refs').length, 1, 'expected the pushed ref');
      assert.deepEqual(
        assertSuccess(await asOther(t, 'GET', refs), 200, 'the refs of the other'),
        [],
        'expected no ref of the first account',
      );

      const tokens = async (): Promise<readonly { id: string }[]> =>
        assertSuccess(await t.rest('GET', `${own}/repos/${name}/tokens`), 200, 'the list of tokens');
      const [token] = await tokens();
      const revoked = await asOther(t, 'DELETE', `${own}/tokens/${token?.id}`);
      assertFailure(t, revoked, failures.noToken, 'DELETE of a token of the first account as the other');
      assert.deepEqual(await tokens(), [token], 'expected the token to be as it was');
      const crossed = await discover({ ...repo, token: theirs.token });
      assert.equal(crossed.status, 403, 'Git with the token of the repo of equal name: expected 403');

      const deleted = assertSuccess(await asOther(t, 'DELETE', `${own}/repos/${name}`), 202, 'DELETE as the other');
      assert.equal(deleted.id, theirs.id, 'expected the repo of the other account to be deleted');
      assertSuccess(await t.rest('GET', `${own}/repos/${name}`), 200, 'GET after the other account deleted its own');
    },
  },
  {
    id: 'rest/accounts/cursor',
    requirements: ['REPO-011', 'REPO-093'],
    level: 'MUST',
    beyond: true,
    needs: ['other account'],
    explanation: 'A cursor of one account is no cursor of another.',
    run: async (t) => {
      const namespace = t.name('both');
      const path = `/namespaces/${namespace}/repos?limit=1`;
      for (const name of ['a', 'b']) await t.createRepo({ namespace, name });
      const { cursor } = (await t.rest('GET', path)).json.result_info;
      const reply = await asOther(t, 'GET', `${path}&cursor=${cursor}`);
      assertFailure(t, reply, failures.cursor, 'GET with a cursor of another account');
    },
  },
  {
    id: 'rest/accounts/foreign-token',
    requirements: ['REPO-032'],
    level: 'MUST',
    readOnly: true,
    needs: ['other account'],
    explanation:
      'The token of an account is refused for another that exists with the same reply as for one that does not.',
    run: async (t) => {
      const reply = await asOther(t, 'GET', '/namespaces', { token: t.apiToken });
      assertFailure(t, reply, failures.permission, 'GET of the other account with the token of the first');
      const own = await t.rest('GET', '/namespaces', { token: t.other.apiToken });
      assertFailure(t, own, failures.permission, 'GET of the first account with the token of the other');
    },
  },
);
