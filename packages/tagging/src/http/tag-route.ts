import { isAccountId } from '@packhouse/base';

/** A route of the tagging API (section 1 of `tagging.md`). */
export type TagRoute =
  | { readonly kind: 'tags'; readonly where: { readonly account: string } | { readonly zone: string } }
  | { readonly kind: 'resources' | 'keys' | 'summary'; readonly where: { readonly account: string } }
  /** `key`: the percent-encoded path segment, unchanged; empty if missing (TAG-012). */
  | { readonly kind: 'values'; readonly where: { readonly account: string }; readonly key: string };

/**
 * Parses the part of a path after the base path, still encoded: a segment may have malformed percent-encoding
 * (TAG-181).
 *
 * @returns `none` for an unknown path below `/tags` of an account or zone (TAG-012); `undefined` for a path outside
 * tagging.
 */
export function tagRoute(path: string): TagRoute | 'none' | undefined {
  const [, place, id = '', rest = ''] = /^\/(accounts|zones)\/([^/]*)\/tags(\/.*)?$/.exec(path) ?? [];
  if (place === undefined) return undefined;
  // Zone ids have the form of account ids.
  if (!isAccountId(id)) return 'none';
  if (rest === '') return { kind: 'tags', where: place === 'accounts' ? { account: id } : { zone: id } };
  if (place === 'zones') return 'none';
  const where = { account: id };
  const [, kind, key] = /^\/(resources|keys|summary|values)(?:\/([^/]*))?$/.exec(rest) ?? [];
  if (kind === 'values') return { kind, where, key: key ?? '' };
  if (kind === undefined || key !== undefined) return 'none';
  return { kind: kind as 'resources' | 'keys' | 'summary', where };
}

/** Returns the account in a route. The owner of a zone is unknown until its directory answers. */
export function accountOf(route: TagRoute | 'none'): string | undefined {
  return route !== 'none' && 'account' in route.where ? route.where.account : undefined;
}

/** Methods of the tags of one resource, as they begin the id of the operation. */
const verbs: Readonly<Record<string, string>> = { GET: 'get', HEAD: 'get', PUT: 'set', DELETE: 'delete' };

const lists = {
  resources: 'listTaggedResources',
  keys: 'listTagKeys',
  values: 'listTagValues',
  summary: 'listTagSummary',
} as const;

/** Returns the id of the operation as the OpenAPI document has it, or `tags` for any other request. */
export function tagOperationId(route: TagRoute | 'none', method: string): string {
  if (route === 'none' || !Object.hasOwn(verbs, method)) return 'tags';
  if (route.kind === 'tags') return `${verbs[method]}${'zone' in route.where ? 'Zone' : 'Account'}Tags`;
  return verbs[method] === 'get' ? lists[route.kind] : 'tags';
}
