import { nearest, SettingsError, type Grant } from '@packhouse/base';
import type { GitEngine } from '@packhouse/git';
import type { PackhouseOptions } from './packhouse.ts';

type Rule = readonly [fits: (value: unknown) => boolean, words: string];

const has =
  (...methods: readonly string[]) =>
  (value: unknown): boolean =>
    methods.every((name) => isFunction((Object(value) as Record<string, unknown>)[name]));
const optional =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || fits(value);
const callback: Rule = [optional(isFunction), 'must be a function'];
const object: Rule = [optional((value) => typeof value === 'object' && value !== null), 'must be an object'];
const flag: Rule = [optional((value) => typeof value === 'boolean'), 'must be true or false'];

/** The check of each option. The text completes a sentence that begins with the name of the option. */
const rules: Readonly<Record<keyof PackhouseOptions, Rule>> = {
  storage: [has('catalog'), 'must be storage, such as memoryStorage() or nodeStorage({ dataDir })'],
  authorize: [isFunction, 'must be a function from an API token to the list of what it allows'],
  engine: [
    optional((value) => typeof (Object(value) as GitEngine).codec === 'object'),
    'must be an engine, such as createGitEngine({ codec: nodeCodec() })',
  ],
  settings: object,
  dialect: object,
  outbound: [optional(has('fetch')), 'must have methods lookup and fetch'],
  clock: [optional(has('now')), 'must have a method now'],
  ids: [optional(has('requestId')), 'must have a method requestId'],
  snapshotCache: [optional((value) => Number.isSafeInteger(value)), 'must be a number of bytes'],
  resourceTypes: object,
  resourceDirectory: [optional(has('find')), 'must have a method find'],
  zones: [optional(has('accountOf')), 'must have a method accountOf'],
  openapi: flag,
  docs: flag,
  healthz: flag,
  readyz: flag,
  ready: callback,
  log: callback,
  failed: callback,
  maintained: callback,
  onEvent: callback,
  importElsewhere: callback,
  createLimiter: callback,
  background: callback,
  pushOptions: callback,
};

/**
 * Checks options at run time, because callers in JavaScript may pass any value.
 *
 * @throws {SettingsError} if an option is misspelt, missing or of the wrong type.
 */
export function checkOptions(options: PackhouseOptions): void {
  const names = Object.keys(rules);
  for (const name of Object.keys(Object(options))) {
    if (Object.hasOwn(rules, name)) continue;
    const close = nearest(name, names);
    throw new SettingsError(
      name,
      `is not an option of packhouse${close === undefined ? '' : `; did you mean ${close}?`}`,
    );
  }
  for (const [name, [fits, words]] of Object.entries(rules)) {
    if (!fits((Object(options) as Record<string, unknown>)[name])) throw new SettingsError(name, words);
  }
}

/**
 * Returns the result of `authorize` unchanged.
 *
 * @throws {TypeError} if the result has another shape. Without this error, such a result would silently deny
 *   everything.
 */
export function checkedGrants(grants: readonly Grant[] | undefined): readonly Grant[] | undefined {
  const isGrant = (one: Grant): boolean => typeof one?.permission === 'string' && ('account' in one || 'zone' in one);
  if (grants === undefined || (Array.isArray(grants) && grants.every(isGrant))) return grants;
  throw new TypeError('authorize must answer undefined or a list such as [{ account, permission }]');
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
