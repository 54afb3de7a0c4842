import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, RestReply } from '../../../core/context.ts';
import { holds } from '../../../steps/holds.ts';
import { shown } from '../../../steps/replies.ts';

/** Internal details that no reply may show (REPO-009). */
const inside =
  /\bat .+:\d+:\d+|node:internal|node_modules|\/(?:home|root|tmp|srv|var|usr|work|workspace)\/|[A-Z]:\\|SQLITE|\.[jt]s:\d+/;

/** Asserts a harmless reply to any input: a known status, complete JSON or an empty body, and no internal details. */
export function assertHarmless(reply: RestReply, what: string): void {
  assert.ok(reply.status < 500, `${what}: expected no failure of the service, got ${shown(reply)}`);
  assert.ok(reply.text === '' || reply.json !== undefined, `${what}: expected JSON, got ${shown(reply)}`);
  if (reply.status >= 400) assert.doesNotMatch(reply.text, inside, `${what}: expected nothing of the inside`);
}

/** A value for a member: of the right type, of a similar one, or any value. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, '', 'r', 'main', 'read', 'eu', 60, 0, -0, 1e308, -1, 9_007_199_254_740_991, true, [], {}),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udfff', 'a') }),
);

const members = [
  'namespace',
  'jurisdiction',
  'name',
  'description',
  'default_branch',
  'read_only',
  'repo',
  'scope',
  'ttl',
];
const body = fc.dictionary(fc.oneof(fc.constantFrom(...members), fc.string()), value, { maxKeys: 8 });

/** A path segment with valid or invalid percent-encoding. It never leaves its folder. */
const segment = fc.oneof(
  fc
    .string({ unit: 'binary', maxLength: 30 })
    .filter((text) => text !== '.' && text !== '..')
    .map((text) => encodeURIComponent(text)),
  fc.constantFrom(
    '%',
    '%zz',
    '%C3',
    '%00',
    '..%2F',
    'r',
    'namespaces',
    'repos',
    'tokens',
    '~',
    ';x=1',
    '{}',
    '%F8%88%80',
  ),
);

async function check(t: Context, method: string, path: string, sent?: string): Promise<void> {
  const reply = await t.rest(method, path, sent === undefined ? {} : { body: sent });
  assertHarmless(reply, `${method} ${path.slice(0, 200)} ${(sent ?? '').slice(0, 200)}`);
  assert.ok(!reply.text.includes(t.apiToken), `${method} ${path.slice(0, 200)}: expected no API token in the reply`);
}

export const junk: Suite = suite(
  {
    id: 'rest/junk/bodies',
    requirements: ['REPO-009', 'REPO-034', 'REPO-042'],
    level: 'MUST',
    explanation: 'Whatever JSON is sent, no reply is a failure of the service, and none tells of its inside.',
    run: async (t) => {
      const { name } = await t.createRepo();
      const routes = ['/namespaces', `/namespaces/${t.namespace}/repos`, `/namespaces/${t.namespace}/tokens`];
      const property = fc.asyncProperty(fc.constantFrom(...routes), body, async (path, sent) => {
        // Spares the account's existing namespaces.
        const { namespace, ...rest } = sent;
        const kept =
          path === '/namespaces' && typeof namespace === 'string' ? { namespace: `${namespace}-`, ...rest } : sent;
        await check(t, 'POST', path, JSON.stringify({ ...(path.endsWith('tokens') && { repo: name }), ...kept }));
      });
      await holds(t, 30, property);
    },
  },
  {
    id: 'rest/junk/bytes',
    requirements: ['REPO-009', 'REPO-042'],
    level: 'MUST',
    explanation: 'Whatever bytes are sent as a body, the reply is 400 in the envelope, unless they happen to be JSON.',
    run: async (t) => {
      const property = fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        const headers = { 'content-type': 'application/json' };
        const reply = await t.rest('POST', `/namespaces/${t.namespace}/repos`, { body: bytes, headers });
        assertHarmless(reply, `POST of ${Buffer.from(bytes).toString('hex')}`);
        assert.equal(reply.status, 400, 'expected bytes that are no repo to be refused');
      });
      await holds(t, 15, property);
    },
  },
  {
    id: 'rest/junk/deep',
    requirements: ['REPO-042', 'LIM-009'],
    level: 'MUST',
    explanation: 'JSON that is nested as deep as its size allows is taken or refused, and nothing breaks.',
    run: async (t) => {
      const deep = 200_000;
      const path = `/namespaces/${t.namespace}/repos`;
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const nest = open.repeat(deep / open.length) + '1' + close.repeat(deep / open.length);
        await check(t, 'POST', path, nest);
        await check(t, 'POST', path, `{"name":${nest}}`);
        await check(t, 'POST', path, `{"name":"r","more":${nest}}`);
      }
      await check(t, 'POST', path, `{"name":"${'\\u0041'.repeat(100_000)}"}`);
      await check(t, 'POST', path, `{"name":"q","description":${'9'.repeat(500_000)}}`);
      await check(t, 'GET', path);
    },
  },
  {
    id: 'rest/junk/paths',
    requirements: ['REPO-009', 'REPO-038'],
    level: 'MUST',
    readOnly: true,
    explanation:
      'Whatever path and query is asked for, no reply is a failure of the service, and none tells of its inside.',
    run: async (t) => {
      const path = fc.oneof(
        segment.map((one) => `/namespaces/${one}`),
        segment.map((one) => `/namespaces/${t.namespace}/repos/${one}`),
        segment.map((one) => `/namespaces/${t.namespace}/repos/${one}/tokens`),
        segment.map((one) => `/namespaces/${t.namespace}/tokens/${one}`),
        fc.tuple(segment, segment).map(([a, b]) => `/namespaces/${a}/repos/${b}`),
        fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
      );
      const names = fc.constantFrom(
        'limit',
        'page',
        'per_page',
        'cursor',
        'search',
        'sort',
        'direction',
        'state',
        '%',
        '',
      );
      const query = fc.array(fc.tuple(names, segment), { maxLength: 3 });
      const property = fc.asyncProperty(path, query, async (asked, pairs) => {
        const search = pairs.map(([name, text]) => `${name}=${text}`).join('&');
        // These requests cannot read or remove anything of the account, since none contains its names.
        await check(t, 'GET', `${asked}?${search}`);
        await check(t, 'GET', `/namespaces/${t.namespace}/repos?${search}`);
      });
      await holds(t, 30, property);
    },
  },
);
