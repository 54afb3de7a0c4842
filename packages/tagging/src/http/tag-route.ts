import { isAccountId } from '@packhouse/base';

/** What a path of the tagging API asks for (section 1 of `tagging.md`). */
export type TagRoute =
  | { readonly kind: 'tags'; readonly where: { readonly account: string } | { readonly zone: string } }
  | { readonly kind: 'resources' | 'keys' | 'summary'; readonly where: { readonly account: string } }
  /** `key`: the segment as it came, percent-encoded; empty where there is none (TAG-012). */
  | { readonly kind: 'values'; readonly where: { readonly account: string }; readonly key: string };

/**
 * Reads a path, given from behind the base path on, as it came: a segment may hold broken percent-encodings (TAG-181).
 * `none`: below `/tags` of an account or a zone, but no route (TAG-012). `undefined`: the path is somebody else's.
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

/** The account that a route names; the owner of a zone is not known before its port was asked. */
export function accountOf(route: TagRoute | 'none'): string | undefined {
  return route !== 'none' && 'account' in route.where ? route.where.account : undefined;
}
