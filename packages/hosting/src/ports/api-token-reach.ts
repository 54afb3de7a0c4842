import { foldName } from '../names/fold.ts';

/** Permissions of a stored API token, as REST spells them (REPO-362). */
export const tokenPermissions = ['read', 'edit', 'git.read', 'git.write', 'tag.read', 'tag.write'] as const;
export type TokenPermission = (typeof tokenPermissions)[number];

/** The permissions that each one includes. Who reads over REST may fetch, and who edits may push. */
const included: Readonly<Record<TokenPermission, readonly TokenPermission[]>> = {
  read: ['read', 'git.read'],
  edit: ['edit', 'read', 'git.write', 'git.read'],
  'git.read': ['git.read'],
  'git.write': ['git.write', 'git.read'],
  'tag.read': ['tag.read'],
  'tag.write': ['tag.write', 'tag.read'],
};

/** Tests if a permission allows all that `other` allows. */
export function includesPermission(one: TokenPermission, other: TokenPermission): boolean {
  return included[one].includes(other);
}

/** The part of an account that a token is for: all of it, one namespace, or one repo. */
export interface TokenReach {
  /** In lower case; null for the whole account. */
  readonly namespace: string | null;
  /** The id of a repo in that namespace; null for all of them. */
  readonly repo: string | null;
}

/** Returns the reach of a namespace or a repo, whose namespace may have any spelling. */
export function reachOf(given: { readonly namespace?: string | null; readonly repo?: string | null }): TokenReach {
  const { namespace = null, repo = null } = given;
  return { namespace: namespace === null ? null : foldName(namespace), repo };
}

/** Tests if `outer` has everything that `inner` has. */
export function covers(outer: TokenReach, inner: TokenReach): boolean {
  if (outer.namespace === null) return true;
  return outer.namespace === inner.namespace && (outer.repo === null || outer.repo === inner.repo);
}
