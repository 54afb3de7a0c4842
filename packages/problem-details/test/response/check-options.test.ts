import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CatalogueError } from '../../src/catalogue/catalogue-error.ts';
import { customErrors } from '../../src/custom/custom-errors.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import { PlatformErrorOptionsError } from '../../src/response/options-error.ts';
import type { PlatformErrorOptions } from '../../src/response/options.ts';
import { ownEntry, problemOf, requestForJson } from './responses.ts';

/** Invalid options of untyped code. */
const wrongTypes: readonly [string, PlatformErrorOptions][] = [
  ['dialect', { dialect: 'cloudflare' }],
  ['dialect', { dialect: null }],
  ['dialect.name', { dialect: {} }],
  ['dialect.marker', { dialect: { ...neutral, marker: '' } }],
  ['dialect.types', { dialect: { ...neutral, types: undefined } }],
  ['dialect.sharedTypes', { dialect: { ...neutral, sharedTypes: {} } }],
  ['dialect.sharedTypes.type', { dialect: { ...neutral, sharedTypes: [{ codes: [500] }] } }],
  [
    'dialect.sharedTypes.codes',
    { dialect: { ...neutral, sharedTypes: [{ type: 'https://a.example', codes: ['500'] }] } },
  ],
  ['dialect.guidanceMember', { dialect: { ...neutral, guidanceMember: 'no' } }],
  ['dialect.boxTokens.from1000', { dialect: { ...neutral, boxTokens: { below1000: '::BOX::' } } }],
  ['docsBase', { docsBase: new URL('https://docs.example') }],
  ['docsBase', { docsBase: 'https://docs.example\n' }],
  ['site', { site: ['LOC'] }],
  ['site', { site: 'a\r\nb: LOC' }],
  ['site', { site: 'LOC\r\nb: c' }],
  ['unhandledCode', { unhandledCode: '1101' }],
  ['localisation.languages', { localisation: { languages: ['\nde'], texts: () => undefined } }],
  ...['below1000', 'from1000'].map((one): [string, unknown] => [
    'customErrors',
    {
      dialect: { ...neutral, boxTokens: { ...neutral.boxTokens, [one]: '::BOX::' } },
      customErrors: customErrors({}),
    },
  ]),
  ['trustRayHeader', { trustRayHeader: 'yes' }],
  ['markdownGuidanceMember', { markdownGuidanceMember: 0 }],
  ['ownCodes', { ownCodes: ownEntry }],
  ['ownCategories', { ownCategories: 'x_kitchen' }],
  ['texts', { texts: null }],
  ['localisation', { localisation: 'de' }],
  ['localisation.languages', { localisation: { languages: 'de', texts: () => undefined } }],
  ['localisation.languages', { localisation: { languages: [['de']], texts: () => undefined } }],
  ['localisation.texts', { localisation: { languages: ['de'] } }],
  ['customErrors', { customErrors: { rules: [], pages: {} } }],
  ['customErrors', { customErrors: null }],
  ...['mayUseRules', 'clientIp', 'geo', 'host', 'log', 'clock', 'random'].map((option): [string, unknown] => [
    option,
    { [option]: '192.0.2.1' },
  ]),
] as [string, PlatformErrorOptions][];

const known = [
  'dialect',
  'docsBase',
  'site',
  'trustRayHeader',
  'markdownGuidanceMember',
  'unhandledCode',
  'ownCodes',
  'ownCategories',
  'texts',
  'localisation',
  'customErrors',
  'mayUseRules',
  'clientIp',
  'geo',
  'host',
  'log',
  'clock',
  'random',
];

describe('options', () => {
  it.each<[string, PlatformErrorOptions]>([
    ['site', { site: 'lower' }],
    ['site', { site: 'AB' }],
    ['docsBase', { docsBase: '/errors' }],
    ['unhandledCode', { unhandledCode: 2000 }],
    ['dialect.rayIdHeader', { dialect: { ...neutral, rayIdHeader: 'ray id' } }],
    // An own code could add a member with this name.
    ['dialect.marker', { dialect: { ...neutral, marker: 'x_platform_error' } }],
    ['dialect.marker', { dialect: { ...neutral, marker: 'platform error' } }],
    ['dialect.marker', { dialect: { ...neutral, marker: 'title' } }],
    ['dialect.platformCategory', { dialect: { ...neutral, platformCategory: 'The Platform' } }],
    ['dialect.platformCategory', { dialect: { ...neutral, platformCategory: 'off' } }],
    ['dialect.footer', { dialect: { ...neutral, footer: 'a'.repeat(2000) } }],
    ['dialect.footer', { dialect: { ...neutral, footer: '# A\n\n[heading](x)' } }],
    ['localisation.languages', { localisation: { languages: ['en', 'de\n'], texts: () => undefined } }],
    ['customErrors', { dialect: cloudflare, customErrors: customErrors({}) }],
    ...wrongTypes,
  ])('that are invalid are refused by name: %s', (option, options) => {
    const create = (): unknown => createPlatformErrors(options);
    expect(create).toThrow(PlatformErrorOptionsError);
    expect(create).toThrow(expect.objectContaining({ option, message: expect.stringMatching(`^${option} must `) }));
  });

  it.each(['cloudflare', 5, null])('that are not an object are refused: %j', (given) => {
    expect(() => createPlatformErrors(given as PlatformErrorOptions)).toThrow(
      new PlatformErrorOptionsError('options', 'must be an object'),
    );
  });

  it('that are misspelt are refused', () => {
    expect(() => createPlatformErrors({ trustRayheader: true } as PlatformErrorOptions)).toThrow(
      new PlatformErrorOptionsError('trustRayheader', `is unknown; known are ${known.join(', ')}`),
    );
  });

  it('that are undefined count as absent', () => {
    const absent = Object.fromEntries(known.map((option) => [option, undefined]));
    expect(createPlatformErrors(absent).settings).toEqual(createPlatformErrors().settings);
  });

  it('are copied, so that later changes of their object have no effect', async () => {
    const options: { site: string; trustRayHeader?: boolean; customErrors?: () => never } = { site: 'AKL' };
    const errors = createPlatformErrors(options);
    options.site = 'a\r\nb';
    options.trustRayHeader = true;
    options.customErrors = () => {
      throw new Error('asked');
    };
    const response = await errors.respond(requestForJson({ 'x-ray-id': 'fedcba9876543210' }), 522);
    expect(response.headers.get('x-ray-id')).toMatch(/^(?!fedcba9876543210)[0-9a-f]{16}-AKL$/);
  });

  it('of any value are accepted or refused by name', async () => {
    const names = fc.subarray(known, { minLength: 1, maxLength: 3 });
    const given = names.chain((some) =>
      fc.record(Object.fromEntries(some.map((option) => [option, fc.anything({ withBigInt: true, withDate: true })]))),
    );
    await fc.assert(
      fc.asyncProperty(given, async (options) => {
        try {
          const response = await createPlatformErrors(options).respond(requestForJson(), 522);
          expect(await problemOf(response)).toMatchObject({ error_code: 522 });
        } catch (error) {
          const refused = error instanceof PlatformErrorOptionsError || error instanceof CatalogueError;
          if (!refused) throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('ERR-143: of the catalogue are refused by the catalogue', () => {
    expect(() => createPlatformErrors({ ownCodes: [ownEntry] })).toThrow(CatalogueError);
  });

  it('that are valid are accepted', () => {
    const { settings } = createPlatformErrors({
      site: 'AKL',
      docsBase: 'https://docs.example/',
      unhandledCode: 2000,
      dialect: cloudflare,
      ownCodes: [ownEntry],
      ownCategories: ['x_kitchen'],
      localisation: { languages: ['de', 'zh-Hant-TW'], texts: () => undefined },
      customErrors: customErrors({}, cloudflare),
    });
    expect(settings).toEqual({
      dialect: cloudflare,
      docsBase: 'https://docs.example/',
      site: 'AKL',
      unhandledCode: 2000,
      logs: false,
    });
    expect(createPlatformErrors().settings).toMatchObject({ site: 'LOC', unhandledCode: 1101, dialect: neutral });
  });
});
