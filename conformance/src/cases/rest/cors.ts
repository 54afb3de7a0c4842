/** REPO-301 and REPO-302 of docs/specification/repositories.md: pages of other origins. */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { governedSettings, only, tightSettings } from '../../steps/settings.ts';

const [app] = governedSettings.cors_origins;
const foreign = 'https://evil.example';

const namesIn = (text: string | null): readonly string[] => (text ?? '').toLowerCase().split(/, */);

export const cors: Suite = suite(
  {
    id: 'rest/cors/preflights',
    requirements: ['REPO-301'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(governedSettings, 'cors_origins'),
    explanation: 'Preflights of REST and tags from a listed origin are answered without a credential, others are not.',
    async run(t) {
      const asks = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' };
      const options = (origin: string) => ({ token: null, headers: { ...asks, origin } });
      for (const send of [
        (origin: string) => t.rest('OPTIONS', '/namespaces', options(origin)),
        (origin: string) => t.tags('OPTIONS', '/tags', options(origin)),
      ]) {
        const listed = await send(app);
        assert.deepEqual([listed.status, listed.text], [204, ''], 'expected an answer without a body');
        assert.equal(listed.headers.get('access-control-allow-origin'), app, 'expected the origin');
        const methods = namesIn(listed.headers.get('access-control-allow-methods'));
        assert.deepEqual(methods, ['get', 'head', 'post', 'put', 'patch', 'delete'], 'expected these methods');
        const allowed = namesIn(listed.headers.get('access-control-allow-headers'));
        for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match'])
          assert.ok(allowed.includes(name), `expected ${name} among ${allowed.join(', ')}`);
        assert.match(listed.headers.get('access-control-max-age') ?? '', /^\d+$/, 'expected seconds to keep it');
        const refused = await send(foreign);
        assert.equal(refused.status, 405, 'expected no answer to another origin');
        assert.equal(refused.headers.get('access-control-allow-origin'), null, 'expected no other origin');
      }
      const other = await t.rest('OPTIONS', '/namespaces', { token: null, headers: { origin: app } });
      assert.equal(other.status, 405, 'expected no preflight without Access-Control-Request-Method');
    },
  },
  {
    id: 'rest/cors/replies',
    requirements: ['REPO-302'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(governedSettings, 'cors_origins'),
    explanation: 'A listed origin can read replies and failures of REST and tags; other origins cannot.',
    async run(t) {
      const exposed = ['allow', 'content-disposition', 'etag', 'retry-after', 'www-authenticate'];
      for (const origin of [app, foreign]) {
        const headers = { origin };
        for (const [reply, status] of [
          [await t.rest('GET', '/namespaces', { headers }), 200],
          [await t.rest('GET', '/namespaces', { headers, token: null }), 401],
          [await t.rest('GET', '/none', { headers }), 404],
          [await t.rest('POST', '/namespaces', { headers, body: 'x'.repeat(1_048_577) }), 413],
          [await t.tags('GET', '/tags/keys', { headers }), 200],
          [await t.tags('GET', '/tags/keys', { headers, token: null }), 401],
        ] as const) {
          assert.equal(reply.status, status, 'expected the origin to change nothing');
          assert.match(reply.headers.get('vary') ?? '', /origin/i, `${status}: expected Origin in Vary`);
          const allowed = reply.headers.get('access-control-allow-origin');
          assert.equal(allowed, origin === app ? app : null, `${status}: expected the listed origin alone`);
          assert.equal(reply.headers.get('access-control-allow-credentials'), null, 'expected no credentials');
          const names = namesIn(reply.headers.get('access-control-expose-headers'));
          const expected = origin === app ? [...exposed, t.dialect.requestIdHeader] : [''];
          assert.deepEqual(names, expected, `${status}: expected these headers to be readable`);
        }
      }
    },
  },
  {
    id: 'rest/cors/none',
    requirements: ['REPO-302'],
    level: 'MUST',
    beyond: true,
    needs: ['settings'],
    settings: only(tightSettings, 'cors_origins'),
    explanation: 'Without the setting no reply has CORS headers.',
    async run(t) {
      const headers = { origin: app, 'access-control-request-method': 'PUT' };
      for (const [method, token, status] of [
        ['GET', t.apiToken, 200],
        ['GET', null, 401],
        ['OPTIONS', null, 405],
      ] as const) {
        const reply = await t.rest(method, '/namespaces?limit=1', { headers, token });
        assert.equal(reply.status, status, `${method}: expected the origin to change nothing`);
        const names = [...reply.headers.keys()].filter((name) => name.startsWith('access-control-'));
        assert.deepEqual(names, [], `${method}: expected no CORS headers`);
      }
    },
  },
);
