import { objectIdAt, objectIdBytes } from '../../object/object-id.ts';
import { cost } from '../../work/costs.ts';
import { inTurns } from '../../work/loops.ts';
import { orderOf } from '../number-order.ts';
import { PackError } from '../pack-error.ts';
import type { DeltaFamilies } from './delta-families.ts';
import type { DeltaResolver } from './delta-resolver.ts';
import type { EntryTables } from './entry-tables.ts';
import type { IndexOptions } from './incoming-pack.ts';
import type { PackCompletion, PreparedEntry } from './pack-completion.ts';

/** Bases that are made ready to be appended at a time, and their bytes, about. */
const portionMax = 8192;
const portionBytes = 4 * 1024 * 1024;

type StoredObjects = Pick<IndexOptions, 'stored' | 'storedNumber' | 'work'>;

/**
 * Appends the bases that a thin pack lacks and the repository has, and makes what leans on them (GIT-118, GIT-145).
 *
 * @throws {PackError} if a base is missing, or there are more bytes than memory allows.
 */
export async function appendBases(
  options: StoredObjects,
  tables: EntryTables,
  families: DeltaFamilies,
  resolver: DeltaResolver,
  completion: PackCompletion,
): Promise<void> {
  const { work } = options;
  const { oids } = tables;
  let missing = -1;
  // In portions, since what is appended first may make bases of what comes later.
  for (let from = 0; from < tables.count && families.incomplete;) {
    const waiting: number[] = [];
    for (; from < tables.count && waiting.length < portionMax; from++) {
      if (work.spend(cost.edges)) await work.yield();
      if (families.isFirstWaiting(from)) waiting.push(from);
    }
    const prepared = await prepareBases(options, waiting, oids, completion);
    // Appended in the order of the pack: an entry whose base comes late may be the base of others itself.
    for (const i of waiting) {
      if (work.spend(cost.edges)) await work.yield();
      // Its base may have been made meanwhile, from another one that was appended.
      if (!families.isFirstWaiting(i)) continue;
      if (!prepared.has(i)) {
        from = i;
        break;
      }
      const base = prepared.get(i);
      if (base === undefined) {
        if (missing < 0) missing = i;
        continue;
      }
      const ordinal = completion.append(base, oids, i * objectIdBytes);
      families.adopt(ordinal);
      await resolver.resolve(ordinal);
    }
  }
  if (!families.incomplete) return;
  // What was missing may have been made since; then another one is.
  for (let i = 0; !families.isFirstWaiting(missing); i++) {
    if (work.spend(cost.edges)) await work.yield();
    missing = i;
  }
  throw new PackError(`missing base ${objectIdAt(oids, missing * objectIdBytes)}`);
}

/**
 * Makes the entries of bases by the ordinals of deltas that wait for them; undefined for one that is not stored. The
 * first and some of the others, in the order of the store, where near bases share a read.
 */
async function prepareBases(
  { work, stored, storedNumber }: StoredObjects,
  waiting: readonly number[],
  oids: Uint8Array,
  completion: PackCompletion,
): Promise<ReadonlyMap<number, PreparedEntry | undefined>> {
  const places = Float64Array.from(waiting, (i) => storedNumber(oids, i * objectIdBytes) + 1);
  const prepared = new Map<number, PreparedEntry | undefined>();
  let bytes = 0;
  const prepare = async (i: number): Promise<void> => {
    if (work.spend(cost.edges)) await work.yield();
    const base = await stored(oids, i * objectIdBytes);
    const entry = base && (await completion.prepare(base));
    prepared.set(i, entry);
    bytes += entry?.bytes.length ?? 0;
  };
  for (const rank of await inTurns(work, cost.entries, orderOf(places))) {
    if (bytes > portionBytes) break;
    await prepare(waiting[rank] as number);
  }
  const [first] = waiting;
  if (first !== undefined && !prepared.has(first)) await prepare(first);
  return prepared;
}
