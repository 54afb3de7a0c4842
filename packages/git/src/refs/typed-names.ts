import type { ObjectId } from '../object/object-id.ts';
import type { VisibleRefs } from './visible-refs.ts';

/** What Git lets users leave away, in the order in which it is tried. */
const prefixes = ['', 'refs/', 'refs/tags/', 'refs/heads/'];

/**
 * What names point to that users typed: `HEAD`, or a ref in full or in short (GIT-073). Names that nothing has are left
 * out.
 */
export async function typedValues(refs: VisibleRefs, names: readonly string[]): Promise<ReadonlyMap<string, ObjectId>> {
  const found = await refs.find(names.flatMap((name) => prefixes.map((prefix) => prefix + name)));
  const values = new Map<string, ObjectId>();
  for (const name of names) {
    const head = name === 'HEAD' ? (await refs.head()).oid : undefined;
    const oids = prefixes.flatMap((prefix) => found.get(prefix + name)?.oid ?? []);
    const oid = head ?? oids[0];
    if (oid !== undefined) values.set(name, oid);
  }
  return values;
}
