import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { assertFailure, assertSuccess, failures } from '../../../steps/replies.ts';

export const credentials: Suite = suite(
  {
    id: 'rest/credentials/refused',
    requirements: ['REPO-031', 'REPO-160'],
    level: 'MUST',
    explanation: 'Anything but a known API token as Bearer is 401 with WWW-Authenticate: Bearer, on every route.',
    run: async (t) => {
      const { token, namespace, name } = await t.createRepo();
      const [secret] = token.split('?') as [string];
      const basic = Buffer.from(`x:${t.apiToken}`).toString('base64');
      const values: readonly (readonly [what: string, value: string | undefined])[] = [
        ['no header', undefined],
        ['an empty one', ''],
        ['no token', 'Bearer'],
        ['an unknown token', 'Bearer nobody-has-this-token'],
        ['two tokens', `Bearer nobody ${t.apiToken}`],
        ['the token alone', t.apiToken],
        ['another scheme', `Token ${t.apiToken}`],
        ['Basic', `Basic ${basic}`],
        ['a repo token', `Bearer ${token}`],
        ['the secret of a repo token', `Bearer ${secret}`],
        ['a token in other letters', `Bearer ${t.apiToken}x`],
      ];
      for (const [what, value] of values) {
        const headers: Record<string, string> = value === undefined ? {} : { authorization: value };
        const reply = await t.rest('GET', `/namespaces/${namespace}`, { token: null, headers });
        assertFailure(t, reply, failures.authentication, `GET with ${what}`);
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer', `GET with ${what}: expected WWW-Authenticate`);
      }
      const routes: readonly (readonly [method: string, path: string, body?: unknown])[] = [
        ['GET', '/namespaces'],
        ['POST', '/namespaces', { namespace: t.name() }],
        ['GET', `/namespaces/${namespace}`],
        ['DELETE', `/namespaces/${namespace}`],
        ['GET', `/namespaces/${namespace}/repos`],
        ['POST', `/namespaces/${namespace}/repos`, { name: 'more' }],
        ['GET', `/namespaces/${namespace}/repos/${name}`],
        ['DELETE', `/namespaces/${namespace}/repos/${name}`],
        ['GET', `/namespaces/${namespace}/repos/${name}/tokens`],
        ['POST', `/namespaces/${namespace}/tokens`, { repo: name }],
        ['DELETE', `/namespaces/${namespace}/tokens/0000000000000000`],
      ];
      for (const [method, path, body] of routes) {
        const options = { token, ...(body !== undefined && { body }) };
        assertFailure(t, await t.rest(method, path, options), failures.authentication, `${method} with a repo token`);
      }
      const repos = assertSuccess(await t.rest('GET', `/namespaces/${namespace}/repos`), 200, 'the list of repos');
      assert.equal(repos.length, 1, 'expected a refused request to change nothing');
    },
  },
  {
    id: 'rest/credentials/accepted',
    requirements: ['REPO-030'],
    level: 'MUST',
    explanation: 'The scheme name has any case, and a token that may edit may also read.',
    run: async (t) => {
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
        const headers = { authorization: `${scheme} ${t.apiToken}` };
        const reply = await t.rest('GET', '/namespaces?limit=1', { token: null, headers });
        assertSuccess(reply, 200, `GET with the scheme written ${scheme}`);
      }
      const namespace = t.name();
      assertSuccess(await t.rest('POST', '/namespaces', { body: { namespace } }), 201, 'POST with the same token');
    },
  },
  {
    id: 'rest/credentials/another-account',
    requirements: ['REPO-032', 'REPO-160'],
    level: 'MUST',
    explanation: 'A valid token is refused with 403 for any other account, whether or not there is one.',
    run: async (t) => {
      const account = `none-${t.name().replaceAll(/[^A-Za-z0-9_-]/g, '-')}`.slice(0, 64);
      const longest = 'n'.repeat(64);
      for (const other of [account, longest]) {
        const base = `${t.origin}${t.dialect.basePath}/accounts/${other}/${t.dialect.serviceSegment}`;
        const list = await t.rest('GET', '/namespaces', { base });
        assertFailure(t, list, failures.permission, `GET /namespaces of the account ${other}`);
        const create = await t.rest('POST', '/namespaces/n-/repos', { base, body: { name: '-' } });
        assertFailure(t, create, failures.permission, `POST of a repo in the account ${other}, with bad names`);
      }
    },
  },
);
