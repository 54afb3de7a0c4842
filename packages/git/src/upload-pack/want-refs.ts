import type { RepoSnapshot } from '../ports/repo-state.ts';
import { resolveHead } from '../refs/head.ts';
import { visibleRefs } from '../refs/visible-refs.ts';
import { printableRef } from '../wire/capabilities.ts';
import type { WantedRef } from '../wire/fetch-response.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/**
 * What the refs of `want-ref` point to: visible ones by their full name, and `HEAD`, which stock clients send too
 * (GIT-098). What a ref has left does not count here.
 *
 * @throws {RequestRefusedError} for any other name.
 */
export function resolveWantRefs(
  snapshot: RepoSnapshot,
  hiddenPrefixes: readonly string[],
  names: readonly string[],
): readonly WantedRef[] {
  if (names.length === 0) return [];
  const refs = visibleRefs(snapshot.refs, hiddenPrefixes);
  const asked = new Set(names);
  const oids = new Map<string, WantedRef['oid']>();
  for (const { name, oid } of refs) if (asked.has(name)) oids.set(name, oid);
  const head = resolveHead(refs, snapshot.defaultBranch).oid;
  if (head !== undefined) oids.set('HEAD', head);
  return names.map((name) => {
    const oid = oids.get(name);
    if (oid === undefined) throw new RequestRefusedError(`unknown ref ${printableRef(name)}`);
    return { name, oid };
  });
}
