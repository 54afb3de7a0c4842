import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context } from '../../core/context.ts';
import { same } from '../../tools/same.ts';
import { entries, variety } from './catalogue-entries.ts';
import { askFor, forEach, mediaTypes, rayIdOf, routeOf, type ErrorReply, type MediaType } from './replies.ts';
import { only, tightSettings } from '../../steps/settings.ts';

/** Headers of section 6 with one value in every reply. `html.ts` has the policy. */
const fixed = {
  'cache-control': 'private, max-age=0, no-store, no-cache, must-revalidate',
  'x-content-type-options': 'nosniff',
  'content-language': 'en',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'SAMEORIGIN',
} as const;

/** Never sent (ERR-080). */
const never = ['set-cookie', 'etag', 'last-modified', 'location', 'content-encoding'];

/** Asserts the headers of section 6 that are the same in every reply, without `Retry-After` and the length. */
export function assertHeaders(t: Context, reply: ErrorReply, type: MediaType, what: string): void {
  const { headers } = reply;
  assert.equal(headers.get('content-type')?.toLowerCase(), `${type}; charset=utf-8`, `${what}: expected this type`);
  for (const [name, value] of Object.entries(fixed)) assert.equal(headers.get(name), value, `${what}: ${name}`);
  assert.ok(varies(reply), `${what}: expected Vary to hold Accept, got ${headers.get('vary')}`);
  rayIdOf(t, reply, what);
  same(
    never.filter((name) => headers.has(name)),
    [],
    `${what}: expected none of these`,
  );
}

function varies({ headers }: ErrorReply): boolean {
  const names = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.includes('accept') || names.includes('*');
}

/** Headers that differ between two replies to the same request, or that proxies add. */
const changing = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'server',
  'via',
  'age',
  'nel',
  'report-to',
]);

/** Returns the constant headers of a reply, sorted. */
export function lastingHeaders(t: Context, { headers }: ErrorReply): readonly (readonly [string, string])[] {
  return [...headers].filter(([name]) => !changing.has(name) && name !== t.dialect.requestIdHeader);
}

const grid = variety.flatMap((entry) => mediaTypes.map((type) => ({ entry, type })));

export const errorsHeaders: Suite = suite(
  {
    id: 'errors/headers/published',
    requirements: ['ERR-072', 'ERR-073', 'ERR-076', 'ERR-078', 'ERR-007'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Type, cache, ray id, referrer and frame headers are those of section 6, in all four formats.',
    run: async (t) => {
      await forEach(grid, async ({ entry, type }) => {
        const reply = await askFor(t, routeOf(entry.code), type);
        const what = `${entry.code} as ${type}`;
        const { headers } = reply;
        assert.equal(headers.get('content-type')?.toLowerCase(), `${type}; charset=utf-8`, `${what}: type`);
        for (const name of ['cache-control', 'referrer-policy', 'x-frame-options'] as const) {
          assert.equal(headers.get(name), fixed[name], `${what}: ${name}`);
        }
        rayIdOf(t, reply, what);
      });
    },
  },
  {
    id: 'errors/headers/further',
    requirements: ['ERR-074', 'ERR-075', 'ERR-077', 'ERR-149'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'Vary holds Accept in every format, the language is told, and the type is not to be guessed.',
    run: async (t) => {
      await forEach(grid, async ({ entry, type }) => {
        const reply = await askFor(t, routeOf(entry.code), type, { headers: { 'accept-language': 'de, fr;q=0.5' } });
        assertHeaders(t, reply, type, `${entry.code} as ${type}`);
      });
    },
  },
  {
    id: 'errors/headers/never',
    requirements: ['ERR-080'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'No cookie, validator, address or encoding is sent, whatever the client could take.',
    run: async (t) => {
      await forEach(grid, async ({ entry, type }) => {
        const headers = { 'accept-encoding': 'gzip, br, deflate', cookie: 'a=1' };
        const reply = await askFor(t, routeOf(entry.code), type, { headers });
        const found = never.filter((name) => reply.headers.has(name));
        same(found, [], `${entry.code} as ${type}: expected none of these`);
      });
    },
  },
  {
    id: 'errors/headers/retry-after',
    requirements: ['ERR-081', 'ERR-083'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Retryable codes have the seconds of the catalogue in Retry-After, others have no such header.',
    run: async (t) => {
      const asked = [...entries.map((entry) => ({ entry, type: 'text/markdown' as const })), ...grid];
      await forEach(asked, async ({ entry, type }) => {
        const reply = await askFor(t, routeOf(entry.code), type);
        const expected = entry.retryable ? String(entry.retry_after) : null;
        assert.equal(reply.headers.get('retry-after'), expected, `${entry.code} as ${type}: Retry-After`);
      });
    },
  },
  {
    id: 'errors/headers/length',
    requirements: ['ERR-079', 'ERR-126'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Content-Length is the length of the body in bytes, in replies to HEAD that of GET.',
    run: async (t) => {
      const lengths = await forEach(grid, async ({ entry, type }) => {
        const what = `${entry.code} as ${type}`;
        const get = await askFor(t, routeOf(entry.code), type);
        const head = await askFor(t, routeOf(entry.code), type, { method: 'HEAD' });
        assert.equal(head.bytes.length, 0, `${what}: expected no body in the reply to HEAD`);
        const [ofGet, ofHead] = [get, head].map(({ headers }) => headers.get('content-length'));
        if (ofGet !== null) assert.equal(Number(ofGet), get.bytes.length, `${what}: expected the length of the body`);
        // Markdown quotes one ray id in a thousand, which adds two bytes.
        const slack = type === 'text/markdown' ? 2 : 0;
        const difference = Math.abs(Number(ofHead ?? get.bytes.length) - get.bytes.length);
        assert.ok(difference === 0 || difference === slack, `${what}: expected the length of GET, got ${ofHead}`);
        return [ofGet, ofHead];
      });
      if (lengths.flat().every((length) => length === null)) t.unsupported('no reply tells its length');
      assert.ok(!lengths.flat().includes(null), 'expected every reply to tell its length, or none');
    },
  },
  {
    id: 'errors/headers/head',
    requirements: ['ERR-093', 'ERR-126'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    needs: ['zone'],
    explanation: 'A HEAD is answered with status and headers of GET, without a body.',
    run: async (t) => {
      await forEach(grid, async ({ entry, type }) => {
        const what = `${entry.code} as ${type}`;
        const get = await askFor(t, routeOf(entry.code), type);
        const head = await askFor(t, routeOf(entry.code), type, { method: 'HEAD' });
        same([head.status, head.text], [get.status, ''], `${what}: expected the status of GET and no body`);
        same(lastingHeaders(t, head), lastingHeaders(t, get), `${what}: expected the headers of GET`);
        assert.notEqual(rayIdOf(t, head, what), rayIdOf(t, get, what), `${what}: expected a ray id of its own`);
      });
    },
  },
  {
    id: 'errors/headers/site',
    requirements: ['ERR-076', 'ERR-085'],
    level: 'MUST',
    needs: ['zone', 'settings'],
    settings: only(tightSettings, 'site'),
    explanation: 'The ray id in the header ends in the site setting, and nothing else shows the site.',
    run: async (t) => {
      for (const type of mediaTypes) {
        const reply = await askFor(t, routeOf(1015), type);
        const value = reply.headers.get(t.dialect.requestIdHeader) ?? '';
        assert.match(value, /^[0-9a-f]{16}-XYZ$/, `${type}: expected the site at the end`);
        assert.ok(reply.text.includes(value.slice(0, 16)), `${type}: expected the ray id in the body`);
        assert.ok(!reply.text.includes('XYZ'), `${type}: expected no site in the body`);
      }
    },
  },
);
