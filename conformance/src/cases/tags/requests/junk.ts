import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { RestReply } from '../../../core/context.ts';
import { sample } from '../../../tools/dice.ts';
import { holds } from '../../../steps/holds.ts';
import { assertHarmless } from '../../rest/requests/junk.ts';
import { shown } from '../../../steps/replies.ts';

/** Asserts that a reply is harmless. A 500 for a missing resource is not a failure of the service (TAG-055). */
function assertSafe(reply: RestReply, what: string): void {
  const mode = reply.status === 500 && reply.json?.errors?.[0]?.code === 10200;
  assertHarmless(mode ? { ...reply, status: 404 } : reply, what);
}

/** A value for a member: of the right type, of a similar one, or any value. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(null, '', 'worker', 'worker_version', 'zone', 'account', 'repository', 0, true, [], {}),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udfff', 'a') }),
);

const type = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('worker', 'queue', 'worker_version') }, value);
const name = fc.oneof(
  fc.constantFrom('a', 'env', '__proto__', 'constructor', '', 'a b', '\ud800', 'é'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const tags = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.dictionary(name, fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), value), { maxKeys: 5 }),
  },
  value,
);
const members = fc.record(
  { resource_type: type, resource_id: value, worker_id: value, tags, access_application_id: value, more: value },
  { requiredKeys: [] },
);

/** A part of a query, with valid or invalid percent-encoding. */
const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text)),
  fc.constantFrom(
    '%',
    '%zz',
    '%C3',
    '%00',
    '+',
    '!',
    '=',
    ',',
    '%2C',
    '%3D',
    '%21',
    'env',
    'worker',
    'true',
    ';',
    '&',
    "'",
    '"',
  ),
  fc.string({ unit: fc.constantFrom('a', '%', '=', '!', ',', '+', '2', 'C', '3', 'D', '1'), maxLength: 12 }),
);
const names = fc.constantFrom(
  'tag',
  'tag',
  'type',
  'id',
  'name',
  'case_insensitive',
  'cursor',
  'resource_type',
  'resource_id',
  'worker_id',
  '%',
  '',
);
const query = fc
  .array(fc.tuple(names, fc.array(piece, { maxLength: 4 })), { maxLength: 4 })
  .map((pairs) => pairs.map(([one, pieces]) => `${one}=${pieces.join('')}`).join('&'));

/** Dots that a URL resolves, characters that it encodes or replaces, and non-ASCII bytes. */
const rawPaths = [
  ...['.', '..', '%2E', '%2e%2e', './', 'a\\b', 'a|b', 'a^b', '{a}', '`', 'é', 'a#b', '"', '<'].map(
    (key) => `/tags/values/${key}`,
  ),
  '/tags/./keys',
  '/tags/../tags/keys',
  '/tags\\keys',
  '/tags/keys?#',
  '/tags/keys;x=1',
  ...['tag=é', 'tag="a"', "tag=a'b", 'tag=a|b', 'tag=a\\b', 'tag=\u00ff=\u00fe', 'id=<&name={'].map(
    (text) => `/tags/resources?${text}`,
  ),
];

export const tagJunk: Suite = suite(
  {
    id: 'tags/junk/bodies',
    requirements: ['REPO-009', 'TAG-021', 'TAG-175', 'TAG-176', 'TAG-177'],
    level: 'MUST',
    explanation: 'Whatever JSON is sent, no reply is a failure of the service, and none tells of its inside.',
    run: async (t) => {
      const property = fc.asyncProperty(fc.constantFrom('PUT', 'DELETE'), members, async (method, sent) => {
        // Spares the resources of the account: any possible id is replaced by one of this case.
        const { resource_id: id } = sent;
        const body = typeof id === 'string' && id !== '' ? { ...sent, resource_id: t.name(id) } : sent;
        const reply = await t.tags(method, '/tags', { body });
        assertSafe(reply, `${method} ${JSON.stringify(body).slice(0, 300)}`);
      });
      await holds(t, 5, property);
    },
  },
  {
    id: 'tags/junk/bytes',
    requirements: ['REPO-009', 'TAG-175'],
    level: 'MUST',
    explanation: 'Whatever bytes are sent as a body, the reply is 400 in the envelope.',
    run: async (t) => {
      const property = fc.asyncProperty(
        fc.constantFrom('PUT', 'DELETE'),
        fc.uint8Array({ maxLength: 60 }),
        async (method, bytes) => {
          const headers = { 'content-type': 'application/json' };
          const reply = await t.tags(method, '/tags', { body: bytes, headers });
          assertSafe(reply, `${method} of ${Buffer.from(bytes).toString('hex')}`);
          assert.equal(reply.status, 400, `expected bytes that name no resource to be refused, got ${shown(reply)}`);
        },
      );
      await holds(t, 3, property);
    },
  },
  {
    id: 'tags/junk/queries',
    requirements: ['REPO-009', 'TAG-021'],
    level: 'MUST',
    readOnly: true,
    explanation: 'Whatever is asked for, no reply is a failure of the service, and none tells of its inside.',
    run: async (t) => {
      const path = fc.oneof(
        fc.constantFrom('/tags', '/tags/resources', '/tags/keys', '/tags/summary', '/tags/values'),
        piece.map((one) => `/tags/values/${one}`),
        piece.map((one) => `/tags/${one}`),
      );
      const property = fc.asyncProperty(path, query, async (asked, search) => {
        const reply = await t.tags('GET', `${asked}?${search}`);
        assertSafe(reply, `GET ${asked}?${search.slice(0, 200)}`);
      });
      await holds(t, 5, property);
    },
  },
  {
    id: 'tags/junk/raw-paths',
    requirements: ['REPO-009', 'TAG-021'],
    level: 'MUST',
    readOnly: true,
    needs: ['origin'],
    explanation: 'So it is with paths and queries that no URL has, but that anybody can send.',
    run: async (t) => {
      for (const path of sample(t, rawPaths, 4)) {
        const reply = await t.tags('GET', path, { raw: true });
        const what = `GET ${path}, as it stands`;
        assert.ok(reply.status < 500, `${what}: expected no failure of the service, got ${shown(reply)}`);
        // A server may reject invalid bytes before it knows the route (RFC 9112, section 3.2).
        if (/[^\x00-\x7f]/.test(path)) continue;
        if (/["#<>\\^`{|}]/.test(path) && reply.status === 400 && reply.json === undefined) continue;
        assertHarmless(reply, what);
        assert.equal(typeof reply.json?.success, 'boolean', `${what}: expected the envelope, got ${shown(reply)}`);
      }
    },
  },
);
