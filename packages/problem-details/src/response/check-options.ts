import type { Catalogue } from '../catalogue/catalogue.ts';
import { checkDialect } from '../custom/check-dialect.ts';
import { booleanOf, integerIn, membersOf, type Refuse } from '../custom/check.ts';
import { neutral } from '../dialect/neutral.ts';
import { customErrorsFault } from './custom-errors-fault.ts';
import { PlatformErrorOptionsError } from './options-error.ts';
import type { PlatformErrorOptions } from './options.ts';

/** Refuses an invalid value of an option. Some checks depend on the other options. */
type Check = (value: unknown, option: string, options: PlatformErrorOptions) => void;

const refuse: Refuse = (option, rule) => {
  throw new PlatformErrorOptionsError(option, rule);
};

const checkFunction: Check = (value, option) => {
  if (typeof value !== 'function') refuse(option, 'must be a function');
};

const checkBoolean: Check = (value, option) => {
  booleanOf(value, option, refuse);
};

const checkList: Check = (value, option) => {
  if (!Array.isArray(value)) refuse(option, 'must be a list');
};

/** Tests if a value is a language tag that a header can hold (RFC 5646 §2.1). */
const isLanguageTag = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(value);

const checks: { readonly [option in keyof PlatformErrorOptions]-?: Check } = {
  dialect: (value) => checkDialect(value, refuse),
  docsBase(value, option) {
    const isUrl = typeof value === 'string' && URL.canParse(value) && !/\s/.test(value);
    if (!isUrl) refuse(option, 'must be an absolute URL, as text');
  },
  site(value, option) {
    if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) refuse(option, 'must be three upper-case letters');
  },
  trustRayHeader: checkBoolean,
  markdownGuidanceMember: checkBoolean,
  unhandledCode(value, option) {
    integerIn(value, option, 500, 999_999_999, refuse);
  },
  // The catalogue checks the content of these three.
  ownCodes: checkList,
  ownCategories: checkList,
  texts(value, option) {
    if (typeof value !== 'object' || value === null) refuse(option, 'must be an object');
  },
  localisation(value, option) {
    if (typeof value !== 'object' || value === null) return refuse(option, 'must be an object');
    const languages: unknown = Reflect.get(value, 'languages');
    if (!Array.isArray(languages) || !languages.every(isLanguageTag)) {
      refuse(`${option}.languages`, 'must be a list of language tags');
    }
    if (typeof Reflect.get(value, 'texts') !== 'function') refuse(`${option}.texts`, 'must be a function');
  },
  customErrors(value, option, { dialect = neutral }) {
    const fault = typeof value === 'function' ? undefined : customErrorsFault(value, dialect);
    if (fault !== undefined) refuse(option, fault);
  },
  mayUseRules: checkFunction,
  clientIp: checkFunction,
  geo: checkFunction,
  host: checkFunction,
  log: checkFunction,
  clock: checkFunction,
  random: checkFunction,
};

/**
 * Copies options, reading each once: later changes of their object have no effect.
 *
 * @throws PlatformErrorOptionsError naming the first unknown or invalid option.
 */
export const readOptions = (given: PlatformErrorOptions): PlatformErrorOptions => {
  if (typeof given !== 'object' || given === null) refuse('options', 'must be an object');
  const options = { ...given };
  const members = membersOf(options, '', Object.keys(checks), refuse);
  for (const [option, check] of Object.entries(checks)) {
    if (members.has(option)) check(members.get(option), option, options);
  }
  return options;
};

/**
 * Checks `unhandledCode`.
 *
 * @throws PlatformErrorOptionsError if the catalogue lacks the code.
 */
export const checkUnhandledCode = (code: number, catalogue: Catalogue): void => {
  if (catalogue.get(code) === undefined) refuse('unhandledCode', 'must be a code of the catalogue');
};
