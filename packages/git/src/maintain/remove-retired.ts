import type { PackId } from '../ports/pack-store.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { MaintainOptions } from './maintenance.ts';

/** Milliseconds until a retired pack in use is checked again, unless the grace period is shorter. */
const inUseInterval = 60_000;

export interface Removal {
  readonly removed: number;
  /** Time when the next pack can be removed, in milliseconds since 1970. Undefined: no pack is left. */
  readonly nextAt: number | undefined;
}

/**
 * Removes the bytes of unused packs that were replaced long enough ago: first from the store, then from the state, so
 * that leftovers of a crash are removed the next time.
 *
 * @throws {StorageError}
 */
export async function removeRetired(
  { leases, graphs, indexes }: GitEngine,
  { state, packs }: GitRepository,
  { now, retireGrace, inUse }: Pick<MaintainOptions, 'now' | 'retireGrace' | 'inUse'>,
): Promise<Removal> {
  const removed: PackId[] = [];
  let nextAt = Infinity;
  try {
    for (const { pack, at } of await state.retiredPacks()) {
      const due = at + retireGrace;
      if (due > now) {
        nextAt = Math.min(nextAt, due);
      } else if (inUse(pack.id) || leases.has(pack.id)) {
        nextAt = Math.min(nextAt, now + Math.min(inUseInterval, retireGrace));
      } else {
        if (pack.where === 'store') await packs.remove(pack.id);
        removed.push(pack.id);
        graphs.delete(pack.id);
        indexes.delete(pack.id);
      }
    }
  } finally {
    if (removed.length > 0) await state.forgetPacks(removed);
  }
  return { removed: removed.length, nextAt: nextAt === Infinity ? undefined : nextAt };
}
