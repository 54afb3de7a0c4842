import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { restPaths } from '../../../core/operations.ts';
import { assertFailure, assertSuccess, failures } from '../../../steps/replies.ts';

export const routes: Suite = suite(
  {
    id: 'rest/routes/none',
    requirements: ['REPO-036', 'REPO-038', 'REPO-161'],
    level: 'MUST',
    beyond: true,
    explanation: 'A path under the account base that no route matches is 404 in the envelope, before any credential.',
    run: async (t) => {
      const paths = [
        '/',
        '/none',
        '/namespaces/',
        '/namespaces/nn/',
        '/namespaces/nn/none',
        '/namespaces/nn/repos/',
        '/namespaces/nn/repos/r/',
        '/namespaces/nn/repos/r/none',
        '/namespaces/nn/repos/r/log/',
        '/namespaces/nn/repos/r/commit',
        '/namespaces/nn/repos/r/commit/',
        '/namespaces/nn/repos/r/tree/x/y',
        '/namespaces/nn/repos/r/blob/x/',
        '/namespaces/nn/repos/r/file/x',
        '/namespaces/nn/repos/r/raw/main',
        '/namespaces/nn/repos/r/refs/',
        '/namespaces/nn/repos/r/tokens/',
        '/namespaces/nn/repos/r/tokens/t',
        '/namespaces/nn/tokens/',
        '/namespaces/nn/tokens/t/more',
        '/namespaces//repos',
        '/namespaces/nn/repos//tokens',
        '/Namespaces',
      ];
      for (const path of ['', ...paths]) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
          const reply = await t.rest(method, path, { token: null });
          assertFailure(t, reply, failures.noRoute, `${method} {account base}${path} without a credential`);
        }
      }
      assertFailure(t, await t.rest('GET', '/namespaces/'), failures.noRoute, 'GET /namespaces/ with a credential');
    },
  },
  {
    id: 'rest/routes/account-ids',
    requirements: ['REPO-038'],
    level: 'MUST',
    beyond: true,
    explanation:
      'An account id is 1 to 64 characters of A-Z a-z 0-9 _ -; with any other there is no route, for any method.',
    run: async (t) => {
      const baseOf = (account: string): string =>
        `${t.origin}${t.dialect.basePath}/accounts/${account}/${t.dialect.serviceSegment}`;
      for (const account of ['a%201', 'a.1', 'a!1', '%C3%A4', 'a%2F1', 'a'.repeat(65)]) {
        for (const method of ['GET', 'PUT']) {
          const reply = await t.rest(method, '/namespaces', { base: baseOf(account) });
          assertFailure(t, reply, failures.noRoute, `${method} of the account ${account}`);
        }
      }
      for (const account of ['a', 'A_-9', 'a'.repeat(64)]) {
        const reply = await t.rest('GET', '/namespaces', { base: baseOf(account), token: null });
        assertFailure(t, reply, failures.authentication, `GET of the account ${account}, which is an account id`);
      }
    },
  },
  {
    id: 'rest/routes/base',
    requirements: ['REPO-008', 'REPO-029'],
    level: 'MUST',
    readOnly: true,
    explanation: 'What lies under the base path of the REST API fails in its envelope, also outside any account.',
    run: async (t) => {
      for (const path of ['', '/', '/none', '/accounts', `/accounts/${t.account}`, `/accounts/${t.account}/none`]) {
        const reply = await t.rest('GET', path, { base: t.origin + t.dialect.basePath });
        assertFailure(t, reply, failures.noRoute, `GET ${t.dialect.basePath}${path}`);
      }
    },
  },
  {
    id: 'rest/routes/methods',
    requirements: ['REPO-036', 'REPO-039', 'REPO-161'],
    level: 'MUST',
    beyond: true,
    explanation: 'Another method on a known path is 405 with the methods of the path in Allow, before any credential.',
    run: async (t) => {
      for (const [form, methods] of restPaths) {
        const path = form.replaceAll('{}', 'nn');
        const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((one) => !methods.includes(one));
        for (const method of others) {
          const reply = await t.rest(method, path, { token: null });
          assertFailure(t, reply, failures.noMethod, `${method} ${form}`);
          const allow = (reply.headers.get('allow') ?? '').split(',').map((one) => one.trim());
          const listed = allow.filter((one) => one !== 'HEAD' || !methods.includes('GET'));
          assert.deepEqual(listed.toSorted(), methods.toSorted(), `${method} ${form}: expected these methods in Allow`);
        }
      }
      const head = await t.rest('HEAD', '/namespaces/nn/tokens', { token: null });
      assert.equal(head.status, 405, 'HEAD where there is no GET: expected 405');
    },
  },
  {
    id: 'rest/routes/head',
    requirements: ['REPO-039'],
    level: 'MUST',
    beyond: true,
    explanation: 'HEAD works wherever GET does, with the same status and headers and no body.',
    run: async (t) => {
      const { namespace, name } = await t.createRepo();
      const own = `/namespaces/${namespace}`;
      const asked: readonly (readonly [path: string, token?: null])[] = [
        [own],
        [`${own}/repos`],
        [`${own}/repos?limit=0`],
        [`${own}/repos/${name}`],
        [`${own}/repos/${name}/tokens`],
        [`${own}/repos/${name}/log`],
        [`${own}/repos/none`],
        ['/none'],
        [own, null],
      ];
      for (const [path, token] of asked) {
        const options = token === undefined ? {} : { token };
        const [get, head] = [await t.rest('GET', path, options), await t.rest('HEAD', path, options)];
        assert.equal(head.status, get.status, `HEAD ${path}: expected the status of GET`);
        assert.equal(head.text, '', `HEAD ${path}: expected no body`);
        for (const header of ['content-type', 'cache-control', 'www-authenticate', 'allow']) {
          assert.equal(
            head.headers.get(header),
            get.headers.get(header),
            `HEAD ${path}: expected ${header} as with GET`,
          );
        }
        const length = head.headers.get('content-length');
        const bytes = String(Buffer.byteLength(get.text));
        assert.ok(
          length === null || length === bytes,
          `HEAD ${path}: expected the length of GET, ${bytes}, not ${length}`,
        );
      }
    },
  },
  {
    id: 'rest/routes/names-in-paths',
    requirements: ['REPO-060', 'REPO-061', 'REPO-104', 'REPO-089', 'REPO-167'],
    level: 'MUST',
    explanation:
      'A name that no namespace or repo may have is answered like a missing one where nothing would be made.',
    run: async (t) => {
      const { namespace } = await t.createRepo();
      for (const name of ['a%20b', '%C3%A4', 'a%2Fb', '%25', '-', 'x'.repeat(600), '%F0%9F%98%80', 'a%00b']) {
        for (const method of ['GET', 'DELETE']) {
          const path = `/namespaces/${name}`;
          assertFailure(t, await t.rest(method, path), failures.noNamespace, `${method} ${path.slice(0, 80)}`);
          const repo = `/namespaces/${namespace}/repos/${name}`;
          assertFailure(t, await t.rest(method, repo), failures.noRepo, `${method} .../repos/${name.slice(0, 80)}`);
        }
        const tokens = await t.rest('GET', `/namespaces/${namespace}/repos/${name}/tokens`);
        assertFailure(t, tokens, failures.noRepo, `GET .../repos/${name.slice(0, 80)}/tokens`);
        const revoke = await t.rest('DELETE', `/namespaces/${namespace}/tokens/${name}`);
        assertFailure(t, revoke, failures.noToken, `DELETE .../tokens/${name.slice(0, 80)}`);
        const list = await t.rest('GET', `/namespaces/${name}/repos`);
        const rows = assertSuccess(list, 200, `GET /namespaces/${name.slice(0, 80)}/repos`);
        assert.deepEqual(rows, [], 'expected no repos in a namespace that cannot be');
      }
    },
  },
);
