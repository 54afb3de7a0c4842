/** A `Uint32Array` that grows. What was appended never changes, so views of the front stay valid for their readers. */
export class GrowableUint32 {
  /** Valid up to {@link GrowableUint32.length}. Replaced when it grows, so read it again after each append. */
  values: Uint32Array;
  length = 0;

  constructor(capacity = 256) {
    this.values = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.values.length) this.#grow(1);
    this.values[this.length++] = value;
  }

  append(values: Uint32Array): void {
    if (this.length + values.length > this.values.length) this.#grow(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  /** A copy of what there is, of exactly its length. */
  toArray(): Uint32Array {
    return this.values.slice(0, this.length);
  }

  #grow(need: number): void {
    const larger = new Uint32Array(Math.max(this.values.length * 2, this.length + need));
    larger.set(this.values.subarray(0, this.length));
    this.values = larger;
  }
}

/** The same for integers of either sign. */
export class GrowableInt32 {
  readonly #bits: GrowableUint32;

  constructor(capacity = 256) {
    this.#bits = new GrowableUint32(capacity);
  }

  get length(): number {
    return this.#bits.length;
  }

  push(value: number): void {
    this.#bits.push(value >>> 0);
  }

  /** The value at a place that was filled. */
  at(index: number): number {
    return (this.#bits.values[index] as number) | 0;
  }

  /** A copy of what there is, of exactly its length. */
  toArray(): Int32Array {
    return new Int32Array(this.#bits.toArray().buffer);
  }
}
