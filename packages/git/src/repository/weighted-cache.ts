/**
 * Keeps what was used lately, up to a number of bytes. Values are weighed anew at each use, since they may grow. It holds values only, never promises: on Workers one request
 * must not wait for another's.
 */
export class WeightedCache<Key, Value> {
  readonly #limit: number;
  readonly #weigh: (value: Value) => number;
  readonly #entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  #weight = 0;

  constructor(limit: number, weigh: (value: Value) => number) {
    this.#limit = limit;
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
   * Keeps a value and drops the ones used longest ago; one that is larger than the whole cache is not kept.
   *
   * @returns whether it is kept.
   */
  set(key: Key, value: Value): boolean {
    this.delete(key);
    const weight = this.#weigh(value);
    if (weight > this.#limit) return false;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#limit) break;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
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
}
