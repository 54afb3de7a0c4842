import type { GitObject } from '../object/kind.ts';

/** Bytes of objects that one reader keeps at hand. */
const budget = 4 * 1024 * 1024;
/** Larger objects are not worth their place. */
const objectMax = budget / 8;

/** Small bodies share buffers of this size: an own one each costs more than its bytes. */
const slabSize = 64 * 1024;
const slabbedMax = 4096;

/**
 * Objects that were read lately: deltas near each other share their bases. When it is full it starts anew, but for
 * the younger half.
 */
export class BaseCache {
  #young = new Map<number, GitObject>();
  #old = new Map<number, GitObject>();
  #youngBytes = 0;
  #slab = new Uint8Array(0);
  #slabUsed = 0;

  get(ordinal: number): GitObject | undefined {
    return this.#young.get(ordinal) ?? this.#old.get(ordinal);
  }

  set(ordinal: number, object: GitObject): void {
    // What an entry costs beside its bytes counts too, as histories are full of tiny objects.
    const bytes = object.body.length + 200;
    if (bytes > objectMax) return;
    if (this.#youngBytes + bytes > budget / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(ordinal, object);
    this.#youngBytes += bytes;
  }

  /** Room for a body. */
  allocate(size: number): Uint8Array {
    if (size > slabbedMax) return new Uint8Array(size);
    if (this.#slabUsed + size > this.#slab.length) {
      this.#slab = new Uint8Array(slabSize);
      this.#slabUsed = 0;
    }
    const body = this.#slab.subarray(this.#slabUsed, this.#slabUsed + size);
    this.#slabUsed += size;
    return body;
  }
}
