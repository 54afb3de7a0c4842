import { refNamesMax } from '../ports/ref-query.ts';
import type { VisibleRefs } from '../stored-refs/visible-refs.ts';
import { printableRef } from '../wire/capabilities.ts';
import type { WantedRef } from '../wire/fetch/fetch-response.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/**
 * Resolves the refs of `want-ref`: visible ones by full name, and `HEAD`, which stock clients also send (GIT-098).
 * Retired tips do not count here.
 *
 * @throws {RequestRefusedError} for any other name.
 */
export async function resolveWantRefs(refs: VisibleRefs, names: readonly string[]): Promise<readonly WantedRef[]> {
  const wanted: WantedRef[] = [];
  for (let from = 0; from < names.length; from += refNamesMax) {
    const part = names.slice(from, from + refNamesMax);
    const found = await refs.find(part);
    for (const name of part) {
      const oid = name === 'HEAD' ? (await refs.head()).oid : found.get(name)?.oid;
      if (oid === undefined) throw new RequestRefusedError(`unknown ref ${printableRef(name)}`);
      wanted.push({ name, oid });
    }
  }
  return wanted;
}
