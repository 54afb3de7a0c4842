import { type CacheBudget, type CacheUsage, LruCache } from '@packhouse/base';
import type { GraphSet } from '../graph/graph-set.ts';
import type { PackRecord } from '../ports/repo-state.ts';

/** The fields of a pack record that a set depends on. */
export type PackPlace = Pick<PackRecord, 'id' | 'position' | 'after'>;

/**
 * Sets of graphs, by their newest pack and its place in the manifest. A fork shares packs with its parent, in other
 * places: what came in while a pack was checked, and what that holds twice, is found by these.
 */
export class SetCache {
  readonly #sets: LruCache<string, GraphSet>;

  constructor(budget: CacheBudget) {
    // A set keeps its graphs alive even where their own cache has dropped them, so they count here too.
    this.#sets = new LruCache(budget, (set) => set.memory);
  }

  get usage(): CacheUsage {
    return this.#sets;
  }

  get(newest: PackPlace): GraphSet | undefined {
    return this.#sets.get(placeKey(newest));
  }

  /** Caches a set. Returns false if it is too large. */
  set(newest: PackPlace, set: GraphSet): boolean {
    return this.#sets.set(placeKey(newest), set);
  }

  delete(newest: PackPlace): void {
    this.#sets.delete(placeKey(newest));
  }
}

/** A pack and its place, as text. */
export function placeKey({ id, position, after }: PackPlace): string {
  return `${id} ${position} ${after}`;
}
