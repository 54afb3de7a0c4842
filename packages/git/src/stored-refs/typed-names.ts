import type { ObjectId } from '../object/object-id.ts';
import { refNamesMax } from '../ports/ref-query.ts';
import type { VisibleRefs } from './visible-refs.ts';

/** Prefixes that Git lets users omit, in the order in which they are tried. */
const prefixes = ['', 'refs/', 'refs/tags/', 'refs/heads/'];

/** Number of names whose forms are looked up with one query. */
const namesAtOnce = refNamesMax / prefixes.length;

/**
 * Resolves names that users typed, in their order: `HEAD`, or a ref in full or short form (GIT-073). Undefined for a
 * name without a ref. A request may have hundreds of thousands, so they are looked up in batches.
 */
export async function* typedValues(
  refs: VisibleRefs,
  names: readonly string[],
): AsyncGenerator<ObjectId | undefined, void, undefined> {
  for (let from = 0; from < names.length; from += namesAtOnce) {
    const part = names.slice(from, from + namesAtOnce);
    const found = await refs.find(part.flatMap((name) => prefixes.map((prefix) => prefix + name)));
    for (const name of part) {
      const head = name === 'HEAD' ? (await refs.head()).oid : undefined;
      const oids = prefixes.flatMap((prefix) => found.get(prefix + name)?.oid ?? []);
      yield head ?? oids[0];
    }
  }
}
