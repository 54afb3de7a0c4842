import { describe, expect, it } from 'vitest';
import { type CustomErrors, customErrors } from '../../src/custom/custom-errors.ts';
import type { CustomErrorRule, RuleFunction } from '../../src/custom/rule.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import type { PlatformErrorOptions } from '../../src/response/options.ts';
import { mediaTypes, otherTexts, ownEntry, problemOf, requestFor, requestForJson } from './responses.ts';

const rule = (members: Partial<CustomErrorRule> = {}): CustomErrorRule =>
  ({ id: 'a', enabled: true, when: {}, content_type: 'text/plain', content: 'rule', ...members }) as CustomErrorRule;
const pages = { '500_errors': 'page of 500s', '1000_errors': 'page of 1000s', other_errors: 'page of others' };
const own: PlatformErrorOptions = { ownCodes: [ownEntry], ownCategories: ['x_kitchen'] };

const with_ = (custom: CustomErrors, options: PlatformErrorOptions = {}) =>
  createPlatformErrors({ ...own, customErrors: custom, ...options });
const bodyOf = async (options: PlatformErrorOptions, code = 1015, request = requestForJson()): Promise<string> =>
  (await createPlatformErrors({ ...own, ...options }).respond(request, code)).text();

describe('ERR-117: the first applicable response is served', () => {
  it('is a rule that matches, then the page, then the built-in response', async () => {
    const rules = [rule({ when: { codes: [1015] } })];
    expect(await bodyOf({ customErrors: customErrors({ rules, pages }) })).toBe('rule');
    expect(await bodyOf({ customErrors: customErrors({ rules, pages }) }, 1020)).toBe('page of 1000s');
    expect(await bodyOf({ customErrors: customErrors({ rules }) }, 1020)).toMatch(/^{"type":/);
  });

  it('is looked up by zone, if zones differ', async () => {
    const byZone = async (zone: string): Promise<CustomErrors | undefined> =>
      zone === 'shop.example' ? customErrors({ rules: [rule()] }) : undefined;
    expect(await bodyOf({ customErrors: byZone })).toBe('rule');
    expect(await bodyOf({ customErrors: byZone, host: () => 'other.example' })).toMatch(/^{"type":/);
  });

  it('ERR-145: also holds for own codes', async () => {
    expect(await bodyOf({ customErrors: customErrors({ pages }) }, 2000)).toBe('page of others');
    expect(await bodyOf({ customErrors: customErrors({ rules: [rule({ when: { codes: [2000] } })] }) }, 2000)).toBe(
      'rule',
    );
  });

  it('ERR-111: is not a rule if the zone may not use rules', async () => {
    const custom = customErrors({ rules: [rule()], pages });
    const asked: string[] = [];
    const mayUseRules = (zone: string): boolean => asked.push(zone) > 1;
    const errors = with_(custom, { mayUseRules });
    expect(await (await errors.respond(requestForJson(), 1015)).text()).toBe('page of 1000s');
    expect(await (await errors.respond(requestForJson(), 1015)).text()).toBe('rule');
    expect(await bodyOf({ customErrors: custom, mayUseRules: async () => false })).toBe('page of 1000s');
    expect(asked).toEqual(['shop.example', 'shop.example']);
  });

  it('ERR-118: without configuration, is the requested format', async () => {
    const errors = createPlatformErrors();
    for (const type of mediaTypes) {
      expect((await errors.respond(requestFor(type), 522)).headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    }
    expect((await errors.respond(requestFor(), 522)).headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('ERR-112: a function as a condition', () => {
  it.each([neutral, cloudflare])('receives the facts that the client reads: $name', async (dialect) => {
    const seen: unknown[] = [];
    const when: RuleFunction = (error) => seen.push(error) === 0;
    const errors = with_(customErrors({ rules: [rule({ when })] }, dialect), { dialect });
    for (const code of [500, 522, 1015, 2000]) {
      const { error_name, error_category, status, ray_id, zone } = await problemOf(
        await errors.respond(requestForJson(), code),
      );
      expect(seen.pop()).toEqual({ code, error_name, error_category, status, ray_id, zone });
    }
  });
});

describe('ERR-107: a rule', () => {
  it('sets status, Content-Type, Content-Length and body; all other headers stay', async () => {
    const rules = [rule({ content_type: 'text/xml', content: '<ä/>', status_code: 404 })];
    const response = await with_(customErrors({ rules })).respond(requestForJson(), 1015);
    expect([response.status, await response.text()]).toEqual([404, '<ä/>']);
    const built = await createPlatformErrors().respond(requestForJson(), 1015);
    const same = (name: string): boolean => !['content-type', 'content-length', 'x-ray-id'].includes(name);
    const [custom, usual] = [response, built].map(({ headers }) => [...headers].filter(([name]) => same(name)));
    expect(custom).toEqual(usual);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/xml; charset=utf-8',
      'content-length': '5',
      'retry-after': '30',
      vary: 'Accept',
    });
  });

  it('keeps the status of the error by default, and names the language of the reply', async () => {
    const localisation = { languages: ['de'], texts: () => otherTexts };
    const errors = with_(customErrors({ rules: [rule()] }), { localisation });
    const response = await errors.respond(requestForJson({ 'accept-language': 'de' }), 1020);
    expect([response.status, response.headers.get('content-language')]).toEqual([403, 'de']);
  });

  it('ERR-109: has tokens for the request, the error and the time', async () => {
    const content = '::CLIENT_IP::|::GEO::|::RAY_ID::|::ERROR_CODE::|::ERROR_NAME::|::ZONE::|::TIMESTAMP::';
    const random = (bytes: Uint8Array): unknown => bytes.fill(0xab);
    const options = { clientIp: () => '192.0.2.1', geo: async () => 'NZ', random, clock: () => 0 };
    const custom = customErrors({ rules: [rule({ content } as Partial<CustomErrorRule>)] });
    expect(await bodyOf({ customErrors: custom, ...options })).toBe(
      '192.0.2.1|NZ|abababababababab|1015|rate_limited|shop.example|1970-01-01T00:00:00Z',
    );
    expect(await bodyOf({ customErrors: custom, random, clock: () => 0 })).toMatch(/^\|\|abab/);
  });
});

describe('ERR-114: an Error Page', () => {
  it('is served as HTML to every client, without the policy of the built-in page', async () => {
    const errors = with_(customErrors({ pages }));
    for (const type of mediaTypes) {
      const response = await errors.respond(requestFor(type), 522);
      expect([response.status, await response.text()]).toEqual([522, 'page of 500s']);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.has('content-security-policy')).toBe(false);
      expect(response.headers.get('retry-after')).toBe('120');
      expect(response.headers.get('vary')).toBe('Accept');
    }
  });

  it('ERR-113: covers code 500, codes from 1000, and own codes', async () => {
    const errors = with_(customErrors({ pages }));
    const codes = errors.catalogue.entries.map(({ code }) => code);
    for (const code of codes) {
      const expected = code < 600 ? 'page of 500s' : code < 2000 ? 'page of 1000s' : 'page of others';
      expect(await (await errors.respond(requestForJson(), code)).text()).toBe(expected);
    }
  });

  it('ERR-115: has tokens and a box, in the language of the client', async () => {
    const page = '<html><title>::ERROR_CODE::</title>::PLATFORM_ERROR_1000S_BOX::<i>::PLATFORM_ERROR_500S_BOX::</i>';
    const localisation = { languages: ['de'], texts: () => otherTexts };
    const errors = with_(customErrors({ pages: { '1000_errors': page } }), { localisation });
    const html = await (await errors.respond(requestForJson({ 'accept-language': 'de' }), 1020)).text();
    expect(html).toMatch(
      /^<html><title>1020<\/title><section lang="de" dir="ltr">\n<h2>Error 1020: Anderer Name<\/h2>/,
    );
    expect(html).toMatch(/<\/section><i>::PLATFORM_ERROR_500S_BOX::<\/i>$/);
  });
});
