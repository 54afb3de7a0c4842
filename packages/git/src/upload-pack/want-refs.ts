import type { VisibleRefs } from '../refs/visible-refs.ts';
import { printableRef } from '../wire/capabilities.ts';
import type { WantedRef } from '../wire/fetch-response.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/**
 * What the refs of `want-ref` point to: visible ones by their full name, and `HEAD`, which stock clients send too
 * (GIT-098). What a ref has left does not count here.
 *
 * @throws {RequestRefusedError} for any other name.
 */
export async function resolveWantRefs(refs: VisibleRefs, names: readonly string[]): Promise<readonly WantedRef[]> {
  if (names.length === 0) return [];
  const found = await refs.find(names);
  const head = names.includes('HEAD') ? (await refs.head()).oid : undefined;
  return names.map((name) => {
    const oid = name === 'HEAD' ? head : found.get(name)?.oid;
    if (oid === undefined) throw new RequestRefusedError(`unknown ref ${printableRef(name)}`);
    return { name, oid };
  });
}
