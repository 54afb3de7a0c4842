import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customErrors } from '../../src/custom/custom-errors.ts';
import type { CustomErrorRule } from '../../src/custom/rule.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import type { ErrorDialect } from '../../src/dialect/dialect.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import type { ErrorInput } from '../../src/response/error-input.ts';
import type { LogRecord } from '../../src/response/log.ts';
import type { Awaitable, PlatformErrorOptions } from '../../src/response/options.ts';
import { mediaTypes, otherTexts, ownEntry, requestFor, requestForJson } from './responses.ts';

const fails = (): never => {
  throw new Error('out of order');
};
const rejects = async (): Promise<never> => fails();

/** A rule for every error, with the given tokens and conditions. */
const rule = (tokens = '', when: CustomErrorRule['when'] = {}): CustomErrorRule => ({
  id: 'a',
  enabled: true,
  when,
  content_type: 'text/plain',
  content: `rule${tokens}`,
});
const pages = (tokens = ''): { '1000_errors': string } => ({ '1000_errors': `page${tokens}` });

/** Returns the reply to code 1015, and the log records except that of the incident. */
const answer = async (options: PlatformErrorOptions): Promise<{ body: string; told: string[]; response: Response }> => {
  const told: string[] = [];
  const log = (record: LogRecord): void => {
    if (record.event === 'fallback') told.push(`${record.stage}: ${record.message}`);
  };
  const response = await createPlatformErrors({ log, ...options }).respond(requestForJson(), 1015);
  const body = await response.text();
  return { body: body.startsWith('{"type":') ? 'built-in' : body, told, response };
};

/** A dialect whose footer can no longer be read once it was checked. */
const brokenDialect = (): ErrorDialect => {
  let checked = false;
  return {
    ...neutral,
    get footer() {
      if (checked) return fails();
      checked = true;
      return neutral.footer;
    },
  };
};

describe('ERR-119: if a step fails, the next one is used', () => {
  it.each([
    ['a token source throws', { clientIp: fails }, 'rule: out of order'],
    ['a token source rejects', { clientIp: rejects }, 'rule: out of order'],
    ['nobody can say whether the zone may use rules', { mayUseRules: fails }, 'may-use-rules: out of order'],
    ['nobody will say whether the zone may use rules', { mayUseRules: rejects }, 'may-use-rules: out of order'],
  ] as const)('the page instead of the rule: %s', async (_, options, message) => {
    const custom = customErrors({ rules: [rule('::CLIENT_IP::')], pages: pages() });
    const { body, told, response } = await answer({ ...options, customErrors: custom });
    expect([body, told]).toEqual(['page', [message]]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('the page instead of the rule: its condition throws', async () => {
    for (const when of [fails, rejects]) {
      const custom = customErrors({ rules: [rule('', when)], pages: pages() });
      expect(await answer({ customErrors: custom })).toMatchObject({ body: 'page', told: ['rule: out of order'] });
    }
  });

  it('the built-in response instead of rule and page', async () => {
    const custom = customErrors({ rules: [rule('::GEO::')], pages: pages('::GEO::') });
    expect(await answer({ customErrors: custom, geo: fails })).toMatchObject({
      body: 'built-in',
      told: ['rule: out of order', 'page: out of order'],
    });
    expect(await answer({ customErrors: customErrors({ pages: pages('::GEO::') }), geo: rejects })).toMatchObject({
      body: 'built-in',
      told: ['page: out of order'],
    });
    for (const lookUp of [fails, rejects]) {
      expect(await answer({ customErrors: lookUp })).toMatchObject({
        body: 'built-in',
        told: ['custom-errors: out of order'],
      });
    }
    const raw = (() => ({ rules: [rule()] })) as unknown as NonNullable<PlatformErrorOptions['customErrors']>;
    expect(await answer({ customErrors: raw })).toMatchObject({
      body: 'built-in',
      told: ['custom-errors: customErrors must be what the function customErrors gives'],
    });
    for (const none of [null, undefined]) {
      expect(await answer({ customErrors: () => none })).toMatchObject({ body: 'built-in', told: [] });
    }
  });

  it('the built-in response instead of pages for another dialect', async () => {
    const { body, told } = await answer({ customErrors: () => customErrors({ pages: pages() }, cloudflare) });
    expect([body, told]).toEqual([
      'built-in',
      [expect.stringMatching(/^custom-errors: customErrors must be made for /)],
    ]);
  });

  it('a rule despite a failing one, and unneeded steps are not tried', async () => {
    const custom = customErrors({ rules: [rule('', fails), { ...rule(), id: 'b' }] });
    const { body } = await answer({ customErrors: custom, geo: fails, clientIp: fails });
    expect(body).toBe('rule');
    expect((await answer({ customErrors: customErrors({ pages: pages() }), mayUseRules: fails })).told).toEqual([]);
  });

  it('English instead of another language', async () => {
    for (const texts of [fails, rejects, () => undefined, () => ({ ...otherTexts, footer: '' })]) {
      const errors = createPlatformErrors({ localisation: { languages: ['de'], texts } });
      const response = await errors.respond(requestForJson({ 'accept-language': 'de' }), 1015);
      expect([response.headers.get('content-language'), await response.text()]).toEqual([
        'en',
        expect.stringContaining('"title":"Error 1015: You are being rate limited"'),
      ]);
    }
    const told: unknown[] = [];
    const localisation = { languages: ['de'], texts: rejects };
    const errors = createPlatformErrors({ localisation, log: (record) => told.push(record) });
    await errors.respond(requestForJson({ 'accept-language': 'de' }), 1015);
    expect(told).toContainEqual(expect.objectContaining({ stage: 'localisation', event: 'fallback' }));
  });

  it('defaults instead of host, clock and random bytes', async () => {
    const { body, told, response } = await answer({ host: fails, clock: fails, random: fails });
    expect([body, told]).toEqual(['built-in', ['random: out of order', 'clock: out of order', 'host: out of order']]);
    expect(response.headers.get('x-ray-id')).toMatch(/^[0-9a-f]{16}-LOC$/);
    for (const time of [Number.NaN, -1, Infinity, 253_402_300_800_000]) {
      expect((await answer({ clock: () => time })).told).toEqual([expect.stringMatching(/^clock: no time that /)]);
    }
    for (const time of ['0', 0n, [0], new Date(0)] as unknown as number[]) {
      const junk = await answer({ clock: () => time });
      expect([junk.body, junk.told]).toEqual(['built-in', [expect.stringMatching(/^clock: no time that /)]]);
    }
    const errors = createPlatformErrors({ host: fails });
    expect(await (await errors.respond(requestForJson(), 522)).json()).toMatchObject({ zone: '' });
  });

  it('a line of text instead of the built-in response, with the status and the headers of the error', async () => {
    const dialect = brokenDialect();
    const { body, told, response } = await answer({ dialect });
    expect([body, told]).toEqual(['error code: 1015\n', ['built-in: out of order']]);
    expect(response.status).toBe(429);
    const plain = Object.fromEntries(response.headers);
    const usual = Object.fromEntries((await createPlatformErrors().respond(requestForJson(), 1015)).headers);
    expect(Object.keys(plain)).toEqual(Object.keys(usual));
    expect(plain).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '17',
      'retry-after': '30',
    });
  });

  it('the same line instead of a page whose box fails', async () => {
    const custom = customErrors({ pages: pages('::PLATFORM_ERROR_1000S_BOX::') });
    expect(await answer({ dialect: brokenDialect(), customErrors: custom })).toMatchObject({
      body: 'error code: 1015\n',
      told: ['page: out of order', 'built-in: out of order'],
    });
    const page = customErrors({ pages: pages('::RAY_ID::') });
    expect((await answer({ dialect: brokenDialect(), customErrors: page })).body).toMatch(/^page[0-9a-f]{16}$/);
  });

  it('a reply although the log fails', async () => {
    for (const log of [fails, rejects]) {
      const errors = createPlatformErrors({ log, geo: fails, customErrors: customErrors({ pages: pages('::GEO::') }) });
      expect((await errors.respond(requestForJson(), 1015)).status).toBe(429);
      expect(() => errors.log({ event: 'unhandled', ray_id: '', message: '' })).not.toThrow();
    }
  });

  it('a reply despite invalid headers', async () => {
    const errors = createPlatformErrors();
    for (const method of ['GET', 'HEAD']) {
      const response = await errors.respond(requestFor(undefined, { method }), 1015, {} as Headers);
      expect([response.status, await response.text()]).toEqual([429, method === 'GET' ? 'error code: 1015\n' : '']);
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });

  it('a reply to every input, for errors anywhere', async () => {
    const outcome = <T>(right: T): fc.Arbitrary<() => T> =>
      fc.oneof(
        fc.constant(() => right),
        fc.anything().map((thrown) => () => {
          throw thrown;
        }),
        fc.anything().map((other) => () => other as T),
      );
    const later = <T>(right: T): fc.Arbitrary<() => Awaitable<T>> =>
      fc.oneof(
        outcome(right),
        fc.anything().map((thrown) => () => Promise.reject(thrown)),
      );
    const custom = customErrors({ rules: [rule('::GEO::', { statuses: [429] })], pages: pages('::CLIENT_IP::') });
    const options = fc.record(
      {
        log: later(undefined),
        clock: outcome(0),
        host: outcome('shop.example'),
        geo: later('NZ'),
        clientIp: later('::1'),
        mayUseRules: later(true),
        customErrors: later(custom),
        random: outcome(undefined),
        localisation: later(otherTexts).map((texts) => ({ languages: ['de'], texts })),
      },
      { requiredKeys: [] },
    );
    const details = fc.record({
      code: fc.oneof(fc.constantFrom(500, 1015, 2000), fc.anything()),
      retryAfter: fc.anything(),
      extensions: fc.anything(),
    });
    const hostile = fc.constant(new Proxy({}, { get: fails, ownKeys: fails }));
    const input = fc.oneof(
      fc.constantFrom(522, 1015, 2000),
      fc.integer(),
      fc.double(),
      fc.anything(),
      details,
      hostile,
    );
    const request = fc.tuple(fc.constantFrom(undefined, ...mediaTypes), fc.constantFrom('GET', 'HEAD', 'POST'));
    await fc.assert(
      fc.asyncProperty(options, input, request, async (given, error, [accept, method]) => {
        const own = { ownCodes: [ownEntry], ownCategories: ['x_kitchen'] as const };
        const errors = createPlatformErrors({ ...own, ...given } as PlatformErrorOptions);
        const asked = requestFor(accept, { method, headers: { 'accept-language': 'de' } });
        const response = await errors.respond(asked, error as ErrorInput);
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.headers.get('x-ray-id')).toMatch(/^[0-9a-f]{16}-LOC$/);
        expect((await errors.builtIn(asked, error as ErrorInput)).status).toBeGreaterThanOrEqual(400);
      }),
      { numRuns: 500 },
    );
  });
});
