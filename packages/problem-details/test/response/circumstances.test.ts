import { describe, expect, it } from 'vitest';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { customErrors } from '../../src/custom/custom-errors.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import type { PlatformErrorOptions } from '../../src/response/options.ts';
import { problemOf, requestFor, requestForJson } from './responses.ts';

const rayIdBy = async (options: PlatformErrorOptions, headers: Record<string, string>): Promise<string> => {
  const errors = createPlatformErrors(options);
  return errors.rayIdOf(await errors.respond(requestForJson(headers), 522));
};
const zoneBy = async (host: PlatformErrorOptions['host'], request = requestForJson()): Promise<string> =>
  (await problemOf(await createPlatformErrors({ host }).respond(request, 522))).zone;
const given = 'fedcba9876543210';

describe('ERR-085: the ray id', () => {
  it('is the same in header, JSON, Markdown, HTML and tokens', async () => {
    let count = 0;
    const random = (bytes: Uint8Array): unknown => bytes.fill(++count);
    const content = '::RAY_ID::';
    const when = { codes: [1015] };
    const errors = createPlatformErrors({
      random,
      customErrors: customErrors({ rules: [{ id: 'a', enabled: true, when, content_type: 'text/plain', content }] }),
    });
    const json = await errors.respond(requestForJson(), 522);
    expect(json.headers.get('x-ray-id')).toBe('0101010101010101-LOC');
    expect(await problemOf(json)).toMatchObject({ instance: '0101010101010101', ray_id: '0101010101010101' });
    const markdown = await errors.respond(requestFor('text/markdown'), 522);
    expect(markdown.headers.get('x-ray-id')).toBe('0202020202020202-LOC');
    expect(await markdown.text()).toContain('\nray_id: "0202020202020202"\n');
    const html = await errors.respond(requestFor('text/html'), 522);
    expect(html.headers.get('x-ray-id')).toBe('0303030303030303-LOC');
    expect(await html.text()).toMatch(/>0303030303030303</);
    const rule = await errors.respond(requestForJson(), 1015);
    expect(rule.headers.get('x-ray-id')).toBe('0404040404040404-LOC');
    expect(await rule.text()).toBe('0404040404040404');
    expect(errors.rayIdOf(rule)).toBe('0404040404040404');
    expect(errors.rayIdOf(new Response())).toBe('');
  });

  it('is new for every reply', async () => {
    const errors = createPlatformErrors();
    const replies = await Promise.all(Array.from({ length: 100 }, () => errors.respond(requestForJson(), 522)));
    expect(new Set(replies.map(errors.rayIdOf)).size).toBe(100);
  });
});

describe('the ray id of a response', () => {
  it('is empty if the header has another form, as that of an origin may', () => {
    const errors = createPlatformErrors();
    const idIn = (value: string): string => errors.rayIdOf(new Response(null, { headers: { 'x-ray-id': value } }));
    expect(idIn(`${given}-AKL`)).toBe(given);
    for (const value of ['<script>alert(1)</script>', `${given}0-AKL`, `${given}-akl`, `${given}, ${given}`, '']) {
      expect(idIn(value)).toBe('');
    }
  });
});

describe('ERR-086: a ray id header of the request', () => {
  it('is ignored', async () => {
    expect(await rayIdBy({}, { 'x-ray-id': given })).not.toBe(given);
    expect(await rayIdBy({ trustRayHeader: false }, { 'x-ray-id': given })).not.toBe(given);
  });

  it('is used if it is trusted, with or without a site, in the header of the dialect', async () => {
    expect(await rayIdBy({ trustRayHeader: true }, { 'x-ray-id': given })).toBe(given);
    expect(await rayIdBy({ trustRayHeader: true }, { 'X-Ray-Id': `${given}-AKL` })).toBe(given);
    expect(await rayIdBy({ trustRayHeader: true, dialect: cloudflare }, { 'cf-ray': given })).toBe(given);
    expect(await rayIdBy({ trustRayHeader: true }, { 'cf-ray': given })).not.toBe(given);
    const errors = createPlatformErrors({ trustRayHeader: true, site: 'LHR' });
    const { headers } = errors.minimal(requestForJson({ 'x-ray-id': `${given}-AKL` }), 404, 'No.');
    expect(headers.get('x-ray-id')).toBe(`${given}-LHR`);
  });

  it.each([
    '',
    'abc',
    given.toUpperCase(),
    `${given}0`,
    `${given}-`,
    `${given}-AKLX`,
    `${given}-akl`,
    `${given}, ${given}`,
  ])('is ignored if it has another form: %s', async (value) => {
    expect(await rayIdBy({ trustRayHeader: true }, { 'x-ray-id': value })).toMatch(
      /^(?!fedcba9876543210)[0-9a-f]{16}$/,
    );
  });
});

describe('the zone', () => {
  it('ERR-088: is the host of the request: Host, else that of the URL', async () => {
    expect(await zoneBy(undefined)).toBe('shop.example');
    expect(await zoneBy(undefined, new Request('https://SHOP.Example.:8443/', requestForJson()))).toBe('shop.example');
    expect(await zoneBy(undefined, requestForJson({ host: 'Other.Example:80' }))).toBe('other.example');
    expect(await zoneBy(undefined, new Request('http://[::1]:80/', requestForJson()))).toBe('[::1]');
  });

  it('ERR-089: is empty if the host is invalid', async () => {
    expect(await zoneBy(undefined, requestForJson({ host: 'a b' }))).toBe('');
    expect(await zoneBy(undefined, requestForJson({ host: '' }))).toBe('');
    expect(await zoneBy(() => `${'a.'.repeat(127)}a`)).toBe('');
  });

  it('ERR-089: is empty if the host application returns no text, which is logged', async () => {
    for (const junk of [5, {}, Promise.resolve('a.example')]) {
      const told: unknown[] = [];
      const host = (() => junk) as unknown as NonNullable<PlatformErrorOptions['host']>;
      const errors = createPlatformErrors({ host, log: (record) => told.push(record) });
      expect((await problemOf(await errors.respond(requestForJson(), 522))).zone).toBe('');
      expect(told).toContainEqual(
        expect.objectContaining({ stage: 'host', message: `the host must be text, not ${typeof junk}` }),
      );
    }
  });

  it('ERR-090: is the result of the host application, never a header that clients can set', async () => {
    const forged = requestForJson({
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      'x-host': 'evil',
    });
    expect(await zoneBy(undefined, forged)).toBe('shop.example');
    expect(await zoneBy(({ headers }) => headers.get('x-forwarded-host'), forged)).toBe('evil.example');
    expect(await zoneBy(() => 'Public.Example:443')).toBe('public.example');
    for (const none of [null, undefined, '', 'a b']) expect(await zoneBy(() => none)).toBe('');
  });
});
