import { describe, expect, it } from 'vitest';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { PlatformError } from '../../src/thrown/platform-error.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import type { LogRecord } from '../../src/response/log.ts';
import { mediaTypes, otherTexts, ownEntry, problemOf, requestFor, requestForJson } from './responses.ts';

const own = { ownCodes: [ownEntry], ownCategories: ['x_kitchen'] as const };

describe('an error response', () => {
  it('ERR-001, ERR-011, ERR-145: exists for every code, built-in or own, in every format', async () => {
    const errors = createPlatformErrors(own);
    expect(errors.catalogue.entries).toHaveLength(73);
    for (const { code, http_status, short_name } of errors.catalogue.entries) {
      for (const type of mediaTypes) {
        const response = await errors.respond(requestFor(type), code);
        expect([response.status, response.headers.get('content-type')]).toEqual([
          http_status,
          `${type}; charset=utf-8`,
        ]);
        expect((await response.text()).replaceAll('&#39;', "'")).toContain(short_name);
      }
    }
  });

  it('ERR-002: has one form for a code, however it is raised', async () => {
    const random = (bytes: Uint8Array): unknown => bytes.fill(7);
    const errors = createPlatformErrors({ random, clock: () => 0 });
    for (const type of mediaTypes) {
      const ways = [
        await errors.respond(requestFor(type), 1015),
        await errors.respond(requestFor(type), { code: 1015 }),
        await errors.respond(requestFor(type), new PlatformError(1015)),
        await errors.builtIn(requestFor(type), 1015),
      ];
      const forms = await Promise.all(
        ways.map(async (way) => JSON.stringify([way.status, [...way.headers], await way.text()])),
      );
      expect(new Set(forms).size).toBe(1);
    }
  });

  it('has additional members only for an own code', async () => {
    const errors = createPlatformErrors(own);
    const extensions = { x_table: 4, x_wine: true };
    expect(await problemOf(await errors.respond(requestForJson(), { code: 2000, extensions }))).toMatchObject(
      extensions,
    );
    expect(await problemOf(await errors.respond(requestForJson(), { code: 522, extensions }))).not.toHaveProperty(
      'x_table',
    );
  });

  it.each(mediaTypes)('ERR-126: has no body for HEAD, but the status and headers of GET: %s', async (type) => {
    const random = (bytes: Uint8Array): unknown => bytes.fill(7);
    const errors = createPlatformErrors({ random });
    const get = await errors.respond(requestFor(type), 1015);
    const head = await errors.respond(requestFor(type, { method: 'HEAD' }), 1015);
    expect([head.status, [...head.headers]]).toEqual([get.status, [...get.headers]]);
    expect(await head.text()).toBe('');
    expect(head.body).toBeNull();
  });

  it('ERR-055: can omit the guidance from the frontmatter', async () => {
    const lines = async (markdownGuidanceMember?: boolean): Promise<number> => {
      const errors = createPlatformErrors({ markdownGuidanceMember });
      return (await (await errors.respond(requestFor('text/markdown'), 522)).text()).split('what_you_should_do:')
        .length;
    };
    expect([await lines(), await lines(true), await lines(false)]).toEqual([2, 2, 1]);
  });

  it.each([
    ['9999', 9999, 9999],
    ['NaN', Number.NaN, Number.NaN],
    ['no number', { code: '1015' } as never, Number.NaN],
    ['nothing', null as never, Number.NaN],
    ['an error of an unknown code', new PlatformError(7), 7],
  ])('ERR-124: is 500 for an unknown code, which is logged: %s', async (_, error, code) => {
    const told: LogRecord[] = [];
    const errors = createPlatformErrors({ log: (record) => told.push(record) });
    const response = await errors.respond(requestForJson(), error);
    expect(await problemOf(response)).toMatchObject({ error_code: 500, status: 500 });
    const ray_id = errors.rayIdOf(response);
    expect(told).toEqual([
      { event: 'unknown-code', ray_id, code },
      { event: 'platform-error', code: 500, ray_id, zone: 'shop.example', status: 500 },
    ]);
  });

  it('is logged with the sent status', async () => {
    const told: LogRecord[] = [];
    const errors = createPlatformErrors({ log: (record) => told.push(record) });
    const response = await errors.respond(requestForJson(), 1015);
    const ray_id = errors.rayIdOf(response);
    expect(told).toEqual([{ event: 'platform-error', code: 1015, ray_id, zone: 'shop.example', status: 429 }]);
    await errors.builtIn(requestForJson(), 1015);
    expect(told).toHaveLength(1);
    expect([errors.settings.logs, createPlatformErrors().settings.logs]).toEqual([true, false]);
  });

  it('is logged with its cause, which no reply reveals', async () => {
    const told: LogRecord[] = [];
    const errors = createPlatformErrors({ log: (record) => told.push(record) });
    const cause = new Error('connect ECONNREFUSED 10.0.0.7');
    const response = await errors.respond(requestForJson(), new PlatformError(521, { cause }));
    expect(told).toMatchObject([{ event: 'platform-error', code: 521, cause: 'connect ECONNREFUSED 10.0.0.7' }]);
    expect([await response.text(), ...response.headers.values()].join('\n')).not.toContain('ECONNREFUSED');
  });
});

describe('the language of an error response', () => {
  const localisation = { languages: ['de', 'pt-BR'], texts: () => otherTexts };
  const errors = createPlatformErrors({ localisation });

  it('ERR-149: is named in Content-Language and in the page, and in Vary if there are several', async () => {
    const inGerman = requestFor('text/html', { headers: { 'accept-language': 'de-AT, en;q=0.5' } });
    const german = await errors.respond(inGerman, 522);
    expect([german.headers.get('content-language'), german.headers.get('vary')]).toEqual([
      'de',
      'Accept, Accept-Language',
    ]);
    expect(await german.text()).toContain('<html lang="de"');
    const english = await errors.respond(requestFor('text/html', { headers: { 'accept-language': 'fr' } }), 522);
    expect([english.headers.get('content-language'), english.headers.get('vary')]).toEqual([
      'en',
      'Accept, Accept-Language',
    ]);
    expect(await english.text()).toContain('<html lang="en"');
  });

  it('ERR-149: is added to Vary, except with English only', async () => {
    const vary = async (languages: string[], before: string): Promise<string | null> => {
      const on = createPlatformErrors({ localisation: { languages, texts: () => undefined } });
      return (await on.respond(requestFor(), 522, new Headers({ vary: before }))).headers.get('vary');
    };
    expect(await vary(['de'], 'Origin')).toBe('Origin, Accept, Accept-Language');
    expect(await vary(['de'], 'accept-language')).toBe('Accept-Language, Accept');
    expect(await vary(['de'], '*')).toBe('*');
    expect(await vary(['en'], 'Origin')).toBe('Origin, Accept');
    expect(await vary(['EN'], 'Origin')).toBe('Origin, Accept');
    expect(await vary([], 'Origin')).toBe('Origin, Accept');
  });

  it('follows the configuration at creation', async () => {
    const languages = ['de'];
    const on = createPlatformErrors({ localisation: { languages, texts: () => otherTexts } });
    languages[0] = 'not a tag';
    const response = await on.respond(requestFor('text/html', { headers: { 'accept-language': 'de' } }), 522);
    expect(response.headers.get('content-language')).toBe('de');
  });
});

describe('the dialect of an error response', () => {
  const neutralErrors = createPlatformErrors({ docsBase: 'https://docs.example' });
  const cloudflareErrors = createPlatformErrors({ dialect: cloudflare });
  const pages = 'https://developers.cloudflare.com/support/troubleshooting/http-status-codes';

  it('ERR-003, ERR-004: names marker and category of the platform', async () => {
    const [one, other] = [neutralErrors, cloudflareErrors].map((errors) => errors.respond(requestForJson(), 500));
    expect(await problemOf((await one) as Response)).toMatchObject({
      platform_error: true,
      error_category: 'platform',
    });
    const problem = await problemOf((await other) as Response);
    expect(problem).toMatchObject({ cloudflare_error: true, error_category: 'cloudflare' });
    expect(problem).not.toHaveProperty('platform_error');
  });

  it('ERR-005: links to the page about each code', async () => {
    const type = async (errors: typeof neutralErrors, code: number): Promise<string> =>
      (await problemOf(await errors.respond(requestForJson(), code))).type;
    expect(await type(neutralErrors, 522)).toBe('https://docs.example/errors/522');
    expect(await type(createPlatformErrors(), 1015)).toBe('https://packhouse.example/errors/1015');
    expect(await type(cloudflareErrors, 522)).toBe(`${pages}/cloudflare-5xx-errors/error-522/`);
    expect(await type(cloudflareErrors, 1015)).toBe(`${pages}/cloudflare-1xxx-errors/error-1015/`);
  });

  it('ERR-006, ERR-007: has the footer, and the name of the ray id header', async () => {
    const neutralReply = await neutralErrors.respond(requestForJson(), 522);
    expect([neutralReply.headers.has('x-ray-id'), neutralReply.headers.has('cf-ray')]).toEqual([true, false]);
    expect((await problemOf(neutralReply)).footer).toMatch(/ by the platform on behalf /);
    const reply = await cloudflareErrors.respond(requestForJson(), 522);
    expect([reply.headers.has('x-ray-id'), reply.headers.has('cf-ray')]).toEqual([false, true]);
    expect((await problemOf(reply)).footer).toMatch(/ by Cloudflare on behalf /);
  });
});
