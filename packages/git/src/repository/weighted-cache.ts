/** Bytes that several caches may hold together. */
export class CacheBudget {
  readonly limit: number;
  readonly #caches: Droppable[] = [];
  #clock = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes held now. */
  get weight(): number {
    return this.#caches.reduce((sum, cache) => sum + cache.weight, 0);
  }

  join(cache: Droppable): void {
    this.#caches.push(cache);
  }

  /** Counts the uses of all caches. */
  tick(): number {
    return ++this.#clock;
  }

  /** Drops what was used longest ago, in whatever cache, until all the rest fits. */
  fit(): void {
    while (this.weight > this.limit) {
      const [oldest, ...others] = this.#caches;
      others.reduce((one, other) => (other.oldestUse < one.oldestUse ? other : one), oldest as Droppable).dropOldest();
    }
  }
}

interface Droppable {
  readonly weight: number;
  /** Infinity if it is empty. */
  readonly oldestUse: number;
  dropOldest(): void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly usedAt: number;
}

/**
 * Keeps what was used lately, up to a number of bytes, which it may share with others. Values are weighed anew at each
 * use, since they may grow. It holds values only, never promises: on Workers one request must not wait for another's.
 */
export class WeightedCache<Key, Value> implements Droppable {
  readonly #budget: CacheBudget;
  readonly #weigh: (value: Value) => number;
  /** In the order of their use. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #weight = 0;

  constructor(limit: number | CacheBudget, weigh: (value: Value) => number) {
    this.#budget = typeof limit === 'number' ? new CacheBudget(limit) : limit;
    this.#budget.join(this);
    this.#weigh = weigh;
  }

  /** The value, which counts as used now. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.set(key, entry.value);
    return entry.value;
  }

  /**
   * Keeps a value and drops the ones used longest ago; one that is larger than the whole budget is not kept.
   *
   * @returns whether it is kept.
   */
  set(key: Key, value: Value): boolean {
    this.delete(key);
    const weight = this.#weigh(value);
    if (weight > this.#budget.limit) return false;
    this.#entries.set(key, { value, weight, usedAt: this.#budget.tick() });
    this.#weight += weight;
    this.#budget.fit();
    return true;
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  get weight(): number {
    return this.#weight;
  }

  get oldestUse(): number {
    for (const { usedAt } of this.#entries.values()) return usedAt;
    return Infinity;
  }

  dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.delete(key);
      return;
    }
  }
}
