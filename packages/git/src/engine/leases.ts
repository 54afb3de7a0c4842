import type { PackId } from '../ports/pack-store.ts';
import type { PackRecord } from '../ports/repo-state.ts';

/**
 * The packs that requests of this process or isolate may read, so that none is removed during a request. Newer
 * snapshots lack a replaced pack, so no request starts to read it after the last one ended.
 */
export class PackLeases {
  readonly #held = new Set<Held>();

  /** Holds the packs of a snapshot until the answered lease is released. Costs the same for any number of packs. */
  take(packs: readonly PackRecord[]): PackLease {
    const held = { packs };
    this.#held.add(held);
    return new PackLease(this.#held, held);
  }

  /** Tests if any request holds the pack, by a scan of all running requests. */
  has(id: PackId): boolean {
    for (const { packs } of this.#held) if (packs.some((pack) => pack.id === id)) return true;
    return false;
  }
}

interface Held {
  packs: readonly PackRecord[];
}

/** A runtime may end a request without a last word: what it held is free when the collector finds it. */
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<{ readonly all: Set<Held>; readonly held: Held }>(({ all, held }) => all.delete(held));

/** Packs that one request holds. */
export class PackLease {
  readonly #all: Set<Held>;
  readonly #held: Held;

  constructor(all: Set<Held>, held: Held) {
    this.#all = all;
    this.#held = held;
    forgotten?.register(this, { all, held }, this);
  }

  /** Holds these packs instead of those before. */
  moveTo(packs: readonly PackRecord[]): void {
    this.#held.packs = packs;
  }

  /** Releases the packs. Idempotent. */
  release(): void {
    forgotten?.unregister(this);
    this.#all.delete(this.#held);
  }
}
