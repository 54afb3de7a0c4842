import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customErrors } from '../../src/custom/custom-errors.ts';
import { contentSecurityPolicy } from '../../src/render/html/content-security-policy.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import { mediaTypes, requestFor, requestForJson } from './responses.ts';

const errors = createPlatformErrors({ site: 'AKL' });
const headersOf = async (pending?: HeadersInit, code = 1015, request = requestForJson()): Promise<Headers> =>
  (await errors.respond(request, code, pending === undefined ? undefined : new Headers(pending))).headers;

describe('the headers of an error response', () => {
  it.each(mediaTypes)('ERR-072: state the format %s, in UTF-8', async (type) => {
    expect((await headersOf(undefined, 1015, requestFor(type))).get('content-type')).toBe(`${type}; charset=utf-8`);
  });

  it('ERR-073, ERR-075, ERR-078: forbid caching, sniffing, referrers and framing', async () => {
    expect(Object.fromEntries(await headersOf())).toMatchObject({
      'cache-control': 'private, max-age=0, no-store, no-cache, must-revalidate',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'SAMEORIGIN',
    });
  });

  it('ERR-074: have Accept in Vary, in every format, merged with previous values', async () => {
    for (const type of mediaTypes)
      expect((await headersOf(undefined, 522, requestFor(type))).get('vary')).toBe('Accept');
    const vary = async (value: string): Promise<string | null> => (await headersOf({ vary: value })).get('vary');
    expect(await vary('Origin')).toBe('Origin, Accept');
    expect(await vary('accept-encoding,  ORIGIN,,')).toBe('accept-encoding, ORIGIN, Accept');
    expect(await vary('Origin, accept')).toBe('Origin, Accept');
    expect(await vary('')).toBe('Accept');
    expect(await vary('*')).toBe('*');
    expect(await vary('Origin, *')).toBe('*');
    expect(
      (
        await headersOf([
          ['vary', 'Origin'],
          ['vary', 'Cookie'],
        ])
      ).get('vary'),
    ).toBe('Origin, Cookie, Accept');
  });

  it('ERR-076: have the ray id with the site', async () => {
    expect((await headersOf()).get('x-ray-id')).toMatch(/^[0-9a-f]{16}-AKL$/);
    expect((await headersOf({ 'x-ray-id': 'of another' })).get('x-ray-id')).toMatch(/^[0-9a-f]{16}-AKL$/);
    const response = await createPlatformErrors().respond(requestForJson(), 522);
    expect(response.headers.get('x-ray-id')).toMatch(/^[0-9a-f]{16}-LOC$/);
  });

  it('ERR-077: have the language', async () => {
    expect((await headersOf()).get('content-language')).toBe('en');
    expect((await headersOf({ 'content-language': 'fr' })).get('content-language')).toBe('en');
  });

  it.each(mediaTypes)('ERR-079: have the length in bytes of %s, for HEAD too', async (type) => {
    const texts = { 522: { detail: 'Zu spät — 太晚了 😀.' } };
    // Markdown quotes a ray id that looks like a number (ERR-058), so GET and HEAD must share theirs.
    for (const byte of [0x11, 0xab]) {
      const on = createPlatformErrors({ texts, random: (bytes) => void bytes.fill(byte) });
      const got = await on.respond(requestFor(type), 522);
      const length = (await got.arrayBuffer()).byteLength;
      expect(got.headers.get('content-length')).toBe(String(length));
      const head = await on.respond(requestFor(type, { method: 'HEAD' }), 522);
      expect(head.headers.get('content-length')).toBe(String(length));
    }
  });

  it('ERR-081: have Retry-After on every retryable code only, regardless of previous values', async () => {
    for (const { code, retryable, retry_after } of errors.catalogue.entries) {
      for (const pending of [undefined, { 'retry-after': 'soon' }]) {
        const value = (await headersOf(pending, code)).get('retry-after');
        expect([code, value]).toEqual([code, retryable ? String(retry_after) : null]);
      }
      expect((await headersOf({ 'retry-after': '7' }, code)).get('retry-after')).toBe(retryable ? '7' : null);
    }
  });

  it('ERR-070: have the policy only for the page', async () => {
    for (const type of mediaTypes) {
      const policy = (await headersOf({ 'content-security-policy': 'sandbox' }, 522, requestFor(type))).get(
        'content-security-policy',
      );
      expect([type, policy]).toEqual([type, type === 'text/html' ? contentSecurityPolicy : null]);
    }
  });
});

const never = ['set-cookie', 'etag', 'last-modified', 'location', 'content-encoding'];
const dropped = ['content-disposition', 'content-range', 'expires', 'transfer-encoding', 'content-security-policy'];
const replaced = [
  'content-type',
  'cache-control',
  'content-length',
  'referrer-policy',
  'x-frame-options',
  'x-content-type-options',
];

describe('headers that others have set before', () => {
  it('ERR-080: never pass on cookies, validators, a location or an encoding', async () => {
    const pending = new Headers(never.map((name): [string, string] => [name, 'a']));
    pending.append('set-cookie', 'b=2');
    for (const type of mediaTypes) {
      const { headers } = await errors.respond(requestFor(type), 1015, pending);
      expect(never.filter((name) => headers.has(name))).toEqual([]);
    }
    expect(pending.getSetCookie()).toHaveLength(2);
  });

  it('ERR-129: stay, except those of section 6 and those about another body', async () => {
    const kept = {
      'access-control-allow-origin': '*',
      'strict-transport-security': 'max-age=1',
      'x-request-id': '7',
      link: '</a>; rel=x, </b>; rel=y',
    };
    const pending = { ...kept, ...Object.fromEntries([...dropped, ...replaced].map((name) => [name, 'of before'])) };
    const headers = await headersOf(pending);
    expect(Object.fromEntries(headers)).toMatchObject(kept);
    expect(dropped.filter((name) => headers.has(name))).toEqual([]);
    expect([...headers.values()]).not.toContain('of before');
  });

  it('ERR-129: stay with rules and pages alike', async () => {
    const custom = createPlatformErrors({
      customErrors: customErrors({
        rules: [{ id: 'a', enabled: true, when: { codes: [1015] }, content_type: 'text/plain', content: 'a' }],
        pages: { '500_errors': 'a' },
      }),
    });
    for (const code of [1015, 522]) {
      const pending = new Headers({
        'x-a': '1',
        'set-cookie': 'a',
        'content-security-policy': 'sandbox',
        vary: 'Origin',
      });
      const { headers } = await custom.respond(requestForJson(), code, pending);
      expect([headers.get('x-a'), headers.get('vary')]).toEqual(['1', 'Origin, Accept']);
      expect(['set-cookie', 'content-security-policy'].filter((name) => headers.has(name))).toEqual([]);
    }
  });

  it('ERR-129: stay or go for any set of headers, whose source is not changed', async () => {
    const names = fc.constantFrom(...never, ...dropped, ...replaced, 'x-a', 'x-b', 'vary', 'retry-after', 'x-ray-id');
    const lines = fc.array(fc.tuple(names, fc.stringMatching(/^[!-~]{1,8}$/)), { maxLength: 8 });
    const own = [...(await headersOf())].map(([name]) => name);
    await fc.assert(
      fc.asyncProperty(lines, async (given) => {
        const pending = new Headers(given);
        const before = [...pending];
        const headers = await headersOf(pending);
        const kept = ['x-a', 'x-b'].filter((name) => pending.has(name));
        expect([...headers.keys()].toSorted()).toEqual([...own, ...kept].toSorted());
        for (const name of kept) expect(headers.get(name)).toBe(pending.get(name));
        expect([...pending]).toEqual(before);
      }),
    );
  });
});
