import { describe, expect, it } from 'vitest';
import { CatalogueError } from '../catalogue/catalogue-error.ts';
import { customErrors } from '../custom/custom-errors.ts';
import { cloudflare } from '../dialect/cloudflare.ts';
import { neutral } from '../dialect/neutral.ts';
import { createPlatformErrors } from './create.ts';
import { PlatformErrorOptionsError } from './options-error.ts';
import type { PlatformErrorOptions } from './options.ts';
import { ownEntry } from './responses.test.util.ts';

describe('options', () => {
  it.each<[string, PlatformErrorOptions]>([
    ['site', { site: 'lower' }],
    ['site', { site: 'AB' }],
    ['docsBase', { docsBase: '/errors' }],
    ['unhandledCode', { unhandledCode: 2000 }],
    ['dialect.rayIdHeader', { dialect: { ...neutral, rayIdHeader: 'ray id' } }],
    ['localisation.languages', { localisation: { languages: ['en', 'de\n'], texts: () => undefined } }],
    ['customErrors', { dialect: cloudflare, customErrors: customErrors({}) }],
  ])('that are wrong are refused by name: %s', (option, options) => {
    const create = (): unknown => createPlatformErrors(options);
    expect(create).toThrow(PlatformErrorOptionsError);
    expect(create).toThrow(expect.objectContaining({ option, message: expect.stringMatching(`^${option} must `) }));
  });

  it('ERR-143: of the catalogue are refused by the catalogue', () => {
    expect(() => createPlatformErrors({ ownCodes: [ownEntry] })).toThrow(CatalogueError);
  });

  it('that are right are accepted', () => {
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
