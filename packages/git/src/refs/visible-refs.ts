import type { RefRecord } from '../ports/repo-state.ts';

/**
 * Whether a ref is hidden (GIT-129): a prefix of the `hidden_refs` setting is the whole name or ends at a border of its
 * components. A slash at the end of a prefix changes nothing.
 */
export function isHidden(name: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) {
    const length = prefix.endsWith('/') ? prefix.length - 1 : prefix.length;
    if (!name.startsWith(prefix.slice(0, length))) continue;
    if (name.length === length || name[length] === '/') return true;
  }
  return false;
}

/** The refs that are not hidden, in the same order; the very same array if nothing can be hidden. */
export function visibleRefs(refs: readonly RefRecord[], prefixes: readonly string[]): readonly RefRecord[] {
  return prefixes.length === 0 ? refs : refs.filter((ref) => !isHidden(ref.name, prefixes));
}
