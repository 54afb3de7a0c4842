/** Full ref names. A {@link RefName} follows the rules of GIT-120 and GIT-121. */

import { decodeUtf8, utf8Length } from '../bytes/utf8.ts';

declare const refNameBrand: unique symbol;

export type RefName = string & { readonly [refNameBrand]: true };

/** Maximum bytes of a ref name (LIM-055). */
export const refNameMax = 1024;

/** Maximum bytes of a branch name without `refs/heads/` (LIM-008). */
const branchNameMax = 256;

/** `refs/` and at least two components (GIT-121). */
const fullName = /^refs\/[^/]+\/[^/]/;

/** Text that `git check-ref-format` refuses anywhere in a name (GIT-120). */
// eslint-disable-next-line no-control-regex -- control bytes are among what is refused
const forbidden = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/[/.]|\.lock(?:\/|$)|[./]$/;

/** Parses a full ref name, as text or as the bytes of a packet; `undefined` if it is invalid (GIT-120, GIT-121). */
export function parseRefName(name: string | Uint8Array): RefName | undefined {
  if (name.length > refNameMax) return undefined;
  const text = typeof name === 'string' ? name : decodeUtf8(name);
  if (text === undefined || !text.isWellFormed() || utf8Length(text) > refNameMax) return undefined;
  return fullName.test(text) && !forbidden.test(text) ? (text as RefName) : undefined;
}

/** Tests if `name`, without `refs/heads/`, is valid for a branch in a record or request (REPO-063). */
export function isValidBranchName(name: string): boolean {
  if (name === '' || name === 'HEAD' || name.startsWith('-')) return false;
  return parseRefName(`refs/heads/${name}`) !== undefined && utf8Length(name) <= branchNameMax;
}
