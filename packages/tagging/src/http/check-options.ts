import { SettingsError } from '@packhouse/base';
import type { TaggingOptions } from './tagging-options.ts';

/** Checks for options, with the end of a message that begins with the option name. Settings are checked elsewhere. */
const rules: Readonly<Record<keyof TaggingOptions, readonly [fits: (value: unknown) => boolean, rule: string] | null>> =
  {
    store: [isFunction, 'must be a function that gives the store of an account, such as memoryTagStores()'],
    authorize: [isFunction, 'must be a function that finds the credential of a request'],
    resourceTypes: [(value) => isAbsent(value) || Array.isArray(value), 'must be a list of resource types'],
    directory: [hasMethod('find'), 'must have a method find'],
    zones: [hasMethod('accountOf'), 'must have a method accountOf, as what listedZones({...}) gives'],
    basePath: [
      (value) => isAbsent(value) || (typeof value === 'string' && isBasePath(value)),
      'must be a path such as /v4 without a final /, or an empty text',
    ],
    requestIdHeader: [
      (value) => isAbsent(value) || (typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value)),
      'must be the name of a header',
    ],
    openapi: [(value) => isAbsent(value) || (typeof value === 'object' && value !== null), 'must be an object'],
    createLimiter: [(value) => isAbsent(value) || isFunction(value), 'must be a function that makes a limiter'],
    clock: [hasMethod('now'), 'must have a method now'],
    ids: [hasMethod('requestId'), 'must have a method requestId'],
    log: [(value) => isAbsent(value) || isFunction(value), 'must be a function'],
    tags_not_found: null,
    account_tags_max: null,
    resource_tags_max: null,
    rate_tags: null,
    rest_body_max: null,
    docs_base: null,
    site: null,
  };

/**
 * Checks the options.
 *
 * @throws {SettingsError} if an option is misspelt, missing or of the wrong type.
 */
export function checkOptions(options: TaggingOptions): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(rules, name)) continue;
    throw new SettingsError(name, `is not an option of tagging; there are ${Object.keys(rules).join(', ')}`);
  }
  for (const [name, rule] of Object.entries(rules)) {
    const [fits, words] = rule ?? [];
    if (fits?.(options[name as keyof TaggingOptions]) === false) throw new SettingsError(name, words ?? '');
  }
}

/** Tests if a request path can begin with this. A URL never has segments `.` and `..`. */
function isBasePath(path: string): boolean {
  const written = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/.test(path);
  return written && new URL(`http://host.invalid${path}/`).pathname === `${path}/`;
}

function isAbsent(value: unknown): boolean {
  return value === undefined;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** Returns a check that a value is absent or has a method of this name. */
function hasMethod(name: string): (value: unknown) => boolean {
  return (value) => isAbsent(value) || isFunction((Object(value) as Record<string, unknown>)[name]);
}
