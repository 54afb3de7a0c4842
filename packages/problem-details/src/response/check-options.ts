import type { Catalogue } from '../catalogue/catalogue.ts';
import { PlatformErrorOptionsError } from './options-error.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';

/** A language tag as far as a header can hold it (RFC 5646 §2.1). */
const languageTag = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;

/** @throws PlatformErrorOptionsError naming the first option that is wrong. */
export const checkOptions = (
  options: PlatformErrorOptions,
  settings: PlatformErrorSettings,
  catalogue: Catalogue,
): void => {
  const { dialect, docsBase, site, unhandledCode } = settings;
  const { localisation, customErrors } = options;
  if (!isHeaderName(dialect.rayIdHeader)) refuse('dialect.rayIdHeader', 'must be the name of a header');
  if (!URL.canParse(docsBase)) refuse('docsBase', 'must be an absolute URL');
  if (!/^[A-Z]{3}$/.test(site)) refuse('site', 'must be three upper-case letters');
  if (catalogue.get(unhandledCode) === undefined) refuse('unhandledCode', 'must be a code of the catalogue');
  if (localisation?.languages.every((language) => languageTag.test(language)) === false) {
    refuse('localisation.languages', 'must be language tags');
  }
  if (typeof customErrors === 'object' && !sameTokens(customErrors.boxTokens, dialect.boxTokens)) {
    refuse('customErrors', wrongDialect);
  }
};

/** Of {@link sameTokens}, for messages. */
export const wrongDialect = 'must be made for the dialect of the responses, which names the box tokens';

/** Whether Error Pages were read for a dialect. */
export const sameTokens = (
  one: PlatformErrorSettings['dialect']['boxTokens'],
  other: PlatformErrorSettings['dialect']['boxTokens'],
): boolean => one.below1000 === other.below1000 && one.from1000 === other.from1000;

const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

const refuse = (option: string, rule: string): never => {
  throw new PlatformErrorOptionsError(option, rule);
};
