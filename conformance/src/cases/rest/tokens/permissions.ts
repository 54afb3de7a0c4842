import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { pathOf } from '../../../steps/content.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { assertFailure, assertSuccess, failures, shown } from '../../../steps/replies.ts';
import { change } from '../../../tools/made-objects.ts';

export const permissions: Suite = suite(
  {
    id: 'rest/permissions/read-routes',
    requirements: ['REPO-030', 'REPO-071', 'REPO-072', 'REPO-075', 'REPO-076', 'REPO-086'],
    level: 'MUST',
    needs: ['read token'],
    explanation: 'A token that may only read gets every list and record.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const own = `/namespaces/${namespace}`;
      for (const path of [
        '/namespaces?limit=1',
        own,
        `${own}/repos`,
        `${own}/repos/${name}`,
        `${own}/repos/${name}/tokens`,
      ]) {
        const reply = await t.rest('GET', path, { token: t.readToken });
        assertSuccess(reply, 200, `GET ${path} with a token that may read`);
      }
    },
  },
  {
    id: 'rest/permissions/edit-routes',
    requirements: [
      'REPO-032',
      'REPO-036',
      'REPO-070',
      'REPO-073',
      'REPO-074',
      'REPO-077',
      'REPO-079',
      'REPO-087',
      'REPO-088',
    ],
    level: 'MUST',
    needs: ['read token'],
    explanation:
      'A token that may only read changes nothing: 403 on every such route, before anything else about the request is looked at.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const own = `/namespaces/${namespace}`;
      const [{ id }] = assertSuccess(await t.rest('GET', `${own}/repos/${name}/tokens`), 200, 'the list of tokens');
      const none = t.name('none');
      const asked: readonly (readonly [method: string, path: string, body?: unknown])[] = [
        ['POST', '/namespaces', { namespace: none }],
        ['POST', '/namespaces', '{'],
        ['DELETE', own],
        ['DELETE', `/namespaces/${none}`],
        ['POST', `${own}/repos`, { name: 'more' }],
        ['POST', `/namespaces/${none}/repos`, { name: '' }],
        ['DELETE', `${own}/repos/${name}`],
        ['DELETE', `${own}/repos/none`],
        ['POST', `${own}/tokens`, { repo: name }],
        ['POST', `${own}/tokens`, { repo: 'none', ttl: 1 }],
        ['DELETE', `${own}/tokens/${id}`],
        ['DELETE', `${own}/tokens/none`],
        ['POST', `${own}/repos/more/import`, { url: '' }],
      ];
      for (const [method, path, body] of asked) {
        const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'text/plain' };
        const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
        const reply = await t.rest(method, path, { token: t.readToken, headers, ...text });
        assertFailure(t, reply, failures.permission, `${method} ${path} with a token that may only read`);
      }
      const repos = assertSuccess(await t.rest('GET', `${own}/repos`), 200, 'the list of repos');
      assert.deepEqual(
        repos.map((repo: { name: string }) => repo.name),
        [name],
        'expected the repos as they were',
      );
      const tokens = assertSuccess(
        await t.rest('GET', `${own}/repos/${name}/tokens?state=all`),
        200,
        'the list of tokens',
      );
      assert.deepEqual(
        tokens.map((token: { id: string; state: string }) => [token.id, token.state]),
        [[id, 'active']],
        'expected the tokens as they were',
      );
      assertFailure(t, await t.rest('GET', `/namespaces/${none}`), failures.noNamespace, 'GET of what was not made');
    },
  },
  {
    id: 'rest/permissions/content-routes',
    requirements: [
      'REPO-030',
      'REPO-032',
      'REPO-036',
      'REPO-236',
      'REPO-241',
      'REPO-242',
      'REPO-243',
      'REPO-250',
      'REPO-256',
      'REPO-261',
      'REPO-264',
      'REPO-270',
      'REPO-277',
      'REPO-278',
      'REPO-279',
      'REPO-287',
      'REPO-292',
    ],
    level: 'MUST',
    beyond: true,
    needs: ['read token'],
    explanation:
      'A token that may only read gets all content, and changes neither it nor the repo: 403, before all else.',
    run: async (t) => {
      const main = change('main');
      const repo = await repoWith(t, { 'refs/heads/main': main }, main.all);
      const path = pathOf(repo);
      const before = assertSuccess(await t.rest('GET', path), 200, 'GET before');
      for (const [method, asked, body] of [
        ['GET', '/tree'],
        ['POST', '/files', { paths: ['file'] }],
        ['GET', '/compare?base=main&head=main'],
        ['GET', '/archive/main.tar'],
        ['GET', '/search?q=x'],
      ] as const) {
        const reply = await t.rest(method, path + asked, { token: t.readToken, ...(body !== undefined && { body }) });
        assert.equal(reply.status, 200, `${method} ${asked} with a token that may read: got ${shown(reply)}`);
      }
      for (const [method, asked] of [
        ['PATCH', ''],
        ['PUT', '/refs/heads/main'],
        ['DELETE', '/refs/heads/main'],
        ['POST', '/refs'],
        ['POST', '/commits'],
        ['POST', '/blobs'],
        ['POST', '/merges'],
        ['POST', '/cherry-picks'],
        ['POST', '/reverts'],
      ] as const) {
        const headers = { 'content-type': 'text/plain' };
        const sent = method === 'DELETE' ? {} : { headers, body: '{' };
        const reply = await t.rest(method, path + asked, { token: t.readToken, ...sent });
        assertFailure(t, reply, failures.permission, `${method} ${asked} with a token that may only read`);
      }
      assert.deepEqual(assertSuccess(await t.rest('GET', path), 200, 'GET after'), before, 'expected no change');
    },
  },
);
