import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { RestReply } from '../../../core/context.ts';
import { assertFailure, assertRefused, badField, bodyTooLarge, failures } from '../../../steps/replies.ts';
import { meagreSettings, only } from '../../../steps/settings.ts';

const options = (...values: readonly string[]): string =>
  `Invalid option: expected one of ${values.map((value) => `"${value}"`).join('|')}`;

function pointersOf({ json }: RestReply): readonly unknown[] {
  return json.errors.map(({ source }: { source?: { pointer: string } }) => source?.pointer);
}

/** Asserts the first invalid field, and that further items are about other invalid fields of the request (REPO-037). */
function assertFields(reply: RestReply, bad: readonly string[], what: string): void {
  const pointers = pointersOf(reply);
  assert.equal(pointers[0], bad[0], `${what}: expected the first bad field first`);
  assert.equal(
    new Set(pointers).size,
    pointers.length,
    `${what}: expected one item a field, got ${pointers.join(' ')}`,
  );
  const others = pointers.filter((one) => !bad.includes(String(one)));
  assert.deepEqual(others, [], `${what}: expected items about the bad fields ${bad.join(' ')} alone`);
}

const huge = 'x'.repeat(1_048_577);

export const checkOrder: Suite = suite(
  {
    id: 'rest/check-order/request',
    requirements: ['REPO-036'],
    level: 'MUST',
    explanation:
      'Route, method, credential, permission, media type, size and syntax are checked in this order, fields after them.',
    run: async (t) => {
      const text = { 'content-type': 'text/plain' };
      const json = { 'content-type': 'application/json' };
      const foreign = `${t.origin}${t.dialect.basePath}/accounts/${'n'.repeat(64)}/${t.dialect.serviceSegment}`;
      const bad = { headers: text, body: huge };
      const route = await t.rest('PUT', '/namespaces/n-/none', { ...bad, token: null });
      assertFailure(t, route, failures.noRoute, 'everything wrong');
      const method = await t.rest('PUT', '/namespaces/n-/repos', { ...bad, token: null });
      assertFailure(t, method, failures.noMethod, 'everything wrong but the route');
      const credential = await t.rest('POST', '/namespaces/n-/repos', { ...bad, base: foreign, token: 'nobody' });
      assertFailure(t, credential, failures.authentication, 'everything wrong but route and method');
      const permission = await t.rest('POST', '/namespaces/n-/repos', { ...bad, base: foreign });
      assertFailure(t, permission, failures.permission, 'another account, and everything after it wrong');
      const type = await t.rest('POST', '/namespaces/n-/repos', bad);
      assertFailure(t, type, failures.mediaType, 'a wrong media type, and everything after it wrong');
      const size = await t.rest('POST', '/namespaces/n-/repos', { headers: json, body: huge });
      assertFailure(t, size, bodyTooLarge(1_048_576), 'a body too large, which is malformed too');
      const syntax = await t.rest('POST', '/namespaces/n-/repos', { headers: json, body: '{' });
      assertFailure(t, syntax, failures.malformed, 'a malformed body, and a bad name in the path');
      await assertRefused(t, ['POST', '/namespaces/n-/repos', { name: 'r' }], failures.namespaceName);
    },
  },
  {
    id: 'rest/check-order/rate',
    requirements: ['REPO-036', 'REPO-043'],
    level: 'MUST',
    needs: ['settings'],
    settings: only(meagreSettings, 'rate_rest'),
    explanation: 'The rate is checked after credential and permission, and before the body.',
    run: async (t) => {
      const path = `/namespaces/${t.name('none')}/repos`;
      const post = async (token?: string): Promise<RestReply> =>
        t.rest('POST', path, { body: 'x', headers: { 'content-type': 'text/plain' }, ...(token && { token }) });
      const { requests } = meagreSettings.rate_rest;
      const replies = await Promise.all(Array.from({ length: 3 * requests }, async () => post()));
      for (const reply of replies) {
        const expected = reply.status === 429 ? failures.rate : failures.mediaType;
        assertFailure(t, reply, expected, 'a wrong media type, above the rate or below');
      }
      assert.ok(
        replies.some(({ status }) => status === 429),
        'expected some requests above the rate',
      );
      assertFailure(t, await post('nobody'), failures.authentication, 'no credential, above the rate');
      const base = `${t.origin}${t.dialect.basePath}/accounts/${'n'.repeat(64)}/${t.dialect.serviceSegment}`;
      const foreign = Array.from({ length: 3 * requests }, async () => t.rest('GET', '/namespaces/nn', { base }));
      for (const reply of await Promise.all(foreign)) {
        assertFailure(t, reply, failures.permission, 'another account, above the rate');
      }
    },
  },
  {
    id: 'rest/check-order/fields-before-state',
    requirements: ['REPO-036'],
    level: 'MUST',
    explanation: 'A bad field is told before a missing or existing thing.',
    run: async (t) => {
      const none = t.name('none');
      const { namespace, name } = await t.createRepo();
      const tokens = `/namespaces/${none}/repos/none/tokens`;
      const scope = badField('scope', options('read', 'write'));
      const state = badField('state', options('active', 'expired', 'revoked', 'all'));
      const limit = badField('limit', 'Too small: expected number to be >=1');
      const description = badField('description', 'Invalid input: expected string, received number');
      await assertRefused(t, ['POST', `/namespaces/${none}/tokens`, { repo: 'none', scope: 'x' }], scope);
      await assertRefused(t, ['POST', `/namespaces/${none}/tokens`, { repo: 'none', ttl: 1 }], failures.ttl);
      await assertRefused(t, ['GET', `${tokens}?state=x`], state);
      await assertRefused(t, ['GET', `/namespaces/${none}/repos?limit=0`], limit);
      await assertRefused(t, ['POST', `/namespaces/${namespace}/repos`, { name, description: 1 }], description);
    },
  },
  {
    id: 'rest/check-order/fields',
    requirements: ['REPO-036', 'REPO-037'],
    level: 'MUST',
    explanation:
      'Of several bad fields the first is told first: path, query, body, each in the order of the specification.',
    run: async (t) => {
      const asked: readonly (readonly [method: string, path: string, body: unknown, bad: readonly string[]])[] = [
        [
          'POST',
          '/namespaces/n-/repos',
          { read_only: 1, default_branch: 'a..b', description: 5, name: '' },
          ['/namespace', '/name', '/description', '/default_branch', '/read_only'],
        ],
        [
          'POST',
          `/namespaces/${t.namespace}/repos`,
          { read_only: 1, default_branch: 'a..b', description: 5, name: 'r' },
          ['/description', '/default_branch', '/read_only'],
        ],
        [
          'POST',
          `/namespaces/${t.namespace}/repos`,
          { read_only: 1, default_branch: 2, name: 'r' },
          ['/default_branch', '/read_only'],
        ],
        ['POST', '/namespaces', { jurisdiction: 'xx', namespace: 1 }, ['/namespace', '/jurisdiction']],
        ['POST', `/namespaces/${t.namespace}/tokens`, { ttl: 1, scope: 'x', repo: 5 }, ['/repo', '/scope', '/ttl']],
        ['POST', `/namespaces/${t.namespace}/tokens`, { ttl: 1, scope: 'x', repo: 'r' }, ['/scope', '/ttl']],
        [
          'GET',
          `/namespaces/${t.namespace}/repos?direction=up&sort=size&page=0&limit=x&cursor=%21`,
          undefined,
          ['/limit', '/cursor', '/page', '/sort', '/direction'],
        ],
        ['GET', '/namespaces?page=0&cursor=%21', undefined, ['/cursor', '/page']],
        ['GET', `/namespaces/${t.namespace}/repos/none/commit/x?include=x`, undefined, ['/hash', '/include']],
        ['PUT', `/namespaces/${t.namespace}/repos/none/refs/heads/a..b`, { new: 'x' }, ['/ref_name', '/new']],
        [
          'GET',
          `/namespaces/${t.namespace}/repos/none/tokens?state=x&per_page=101&page=0`,
          undefined,
          ['/page', '/per_page', '/state'],
        ],
      ];
      for (const [method, path, body, bad] of asked) {
        const reply = await t.rest(method, path, body === undefined ? {} : { body });
        const what = `${method} ${path} ${JSON.stringify(body) ?? ''}`;
        assert.equal(reply.status, 400, `${what}: expected 400`);
        assertFields(reply, bad, what);
      }
    },
  },
);
