/** A limit on the total weight of several caches. */
export class CacheBudget {
  readonly limit: number;
  readonly #caches: Evictable[] = [];
  #clock = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The current total weight. */
  get weight(): number {
    return this.#caches.reduce((sum, cache) => sum + cache.weight, 0);
  }

  join(cache: Evictable): void {
    this.#caches.push(cache);
  }

  /** Returns the next value of a counter that all caches share. */
  tick(): number {
    return ++this.#clock;
  }

  /** Evicts the least recently used entries of all caches until the rest fits. */
  fit(): void {
    while (this.weight > this.limit) {
      const [oldest, ...others] = this.#caches;
      others.reduce((one, other) => (other.oldestUse < one.oldestUse ? other : one), oldest as Evictable).evictOldest();
    }
  }
}

interface Evictable {
  readonly weight: number;
  /** Infinity if the cache is empty. */
  readonly oldestUse: number;
  evictOldest(): void;
}

/** The size of a cache, and how often it was of use. */
export interface CacheUsage {
  /** The weight of all entries. */
  readonly weight: number;
  /** Number of look-ups that found their value. */
  readonly hits: number;
  /** Number of look-ups that did not. */
  readonly misses: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly usedAt: number;
}

/**
 * Caches values up to a total weight, which it may share with other caches. Evicts the least recently used values.
 * Weighs a value again at each use, since it may grow. Stores values, never promises: on Workers a request must not
 * await a promise of another request.
 */
export class LruCache<Key, Value> implements Evictable, CacheUsage {
  readonly #budget: CacheBudget;
  readonly #weigh: (value: Value) => number;
  readonly #onEvict: (key: Key) => void;
  /** Ordered by last use. */
  readonly #entries = new Map<Key, Entry<Value>>();
  #weight = 0;
  #hits = 0;
  #misses = 0;

  /**
   * @param weigh returns the weight of a value. Default: 1, so that the limit is a number of entries.
   * @param onEvict is called after an entry has made room for others.
   */
  constructor(
    limit: number | CacheBudget,
    weigh: (value: Value) => number = () => 1,
    onEvict: (key: Key) => void = () => undefined,
  ) {
    this.#budget = typeof limit === 'number' ? new CacheBudget(limit) : limit;
    this.#budget.join(this);
    this.#weigh = weigh;
    this.#onEvict = onEvict;
  }

  /** Returns the value and marks it as used. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.set(key, entry.value);
    return entry.value;
  }

  /**
   * Caches a value, unless it weighs more than the whole limit.
   *
   * @returns whether it is cached.
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

  /** Tests if there is a value, without marking it as used. */
  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** Yields the keys, the least recently used first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  get weight(): number {
    return this.#weight;
  }

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  get oldestUse(): number {
    for (const { usedAt } of this.#entries.values()) return usedAt;
    return Infinity;
  }

  evictOldest(): void {
    for (const key of this.#entries.keys()) {
      this.delete(key);
      this.#onEvict(key);
      return;
    }
  }
}
