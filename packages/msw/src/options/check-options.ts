import { isAccountId } from '@packhouse/base';
import { MockOptionsError, readOrigin } from './origin.ts';
import { shown } from '../values/shown.ts';

/** All options of a kind of mock, as keys; the values have no meaning. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Options that several kinds of mocks share, each with its check and the end of its error message. */
const rules: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, expected: string]>> = {
  account: [isAccount, 'an id of 1 to 64 characters of A-Z a-z 0-9 _ -'],
  zones: [(value) => isList(value) && value.every(isAccount), 'a list of ids, such as ["z1"]'],
  apiTokens: [isList, 'a list such as ["t1", { token: "t2", permissions: ["read"] }]'],
  seed: [isObject, 'an object'],
  faults: [isList, 'a list of faults'],
  clock: [(value) => isObject(value) && typeof value['now'] === 'function', '{ now: () => milliseconds }'],
  createIds: [isFunction, 'a function that makes a source of ids'],
  site: [(value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value), 'three upper-case letters, such as LOC'],
  settings: [isObject, 'an object of settings by their names'],
  wholeOrigin: [(value) => typeof value === 'boolean', 'true or false'],
  log: [isFunction, 'a function that takes records'],
};

/**
 * Checks the options, because callers in JavaScript may pass any value.
 *
 * @throws {MockOptionsError} for a misspelt option or a value of another type.
 */
export function checkedOptions<Options extends object>(options: Options, names: OptionNames<Options>): Options {
  if (!isObject(options)) readOrigin(undefined);
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(names, name)) {
      throw new MockOptionsError(`${name}: there is no such option; there are ${Object.keys(names).join(', ')}`);
    }
    const [fits, expected] = rules[name] ?? [];
    if (value !== undefined && fits?.(value) === false) {
      throw new MockOptionsError(`${name}: expected ${expected}, got ${shown(value)}`);
    }
  }
  return options;
}

function isAccount(value: unknown): boolean {
  return typeof value === 'string' && isAccountId(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
