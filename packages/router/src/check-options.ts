import { nearest, SettingsError, type Grant } from '@packhouse/base';
import type { GitEngine } from '@packhouse/git';
import type { Dialect } from '@packhouse/hosting';
import type { PackhouseOptions, ServiceStorage } from './packhouse.ts';

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
const object: Rule = [optional(isObject), 'must be an object'];
const flag: Rule = [optional((value) => typeof value === 'boolean'), 'must be true or false'];

/** The check of each option. The text completes a sentence that begins with the name of the option. */
const rules: Readonly<Record<keyof PackhouseOptions, Rule>> = {
  storage: [isStorage, 'must be storage, such as memoryStorage() or nodeStorage({ dataDir })'],
  authorize: [isFunction, 'must be a function from an API token to the list of what it allows'],
  engine: [
    optional((value) => isObject((Object(value) as GitEngine).codec)),
    'must be an engine, such as createGitEngine({ codec: nodeCodec() })',
  ],
  settings: object,
  dialect: [
    optional((value) => isObject((Object(value) as Dialect).permissions)),
    'must be a dialect, such as neutral',
  ],
  outbound: [optional(has('lookup', 'fetch')), 'must have methods lookup and fetch'],
  clock: [optional(has('now')), 'must have a method now'],
  ids: [optional(has('requestId')), 'must have a method requestId'],
  snapshotCache: [optional((value) => Number.isSafeInteger(value) && Number(value) >= 0), 'must be a number of bytes'],
  resourceTypes: object,
  resourceDirectory: [optional(has('find')), 'must have a method find'],
  zones: [optional(has('accountOf')), 'must have a method accountOf'],
  openapi: flag,
  docs: flag,
  healthz: flag,
  readyz: flag,
  ready: callback,
  metrics: callback,
  tracing: [optional(has('request', 'child')), 'must have methods request and child'],
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

function isStorage(value: unknown): boolean {
  return has('catalog')(value) && has('repo')((Object(value) as ServiceStorage).repos);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
