import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import { newIdHash } from './id-hash.ts';

/** Bytes that an id takes at most, with the tables that are copied when they grow. */
export const numberedIdMemory = 84;

/** Ids numbered in the order they were first named, each once. */
export class IdNumbers {
  /** The first {@link IdNumbers.length} ids are in use. */
  #ids = new Uint8Array(16 * objectIdBytes);
  /** Numbers plus one; 0: free. A power of two long, at most half full. */
  #slots = new Uint32Array(32);
  #bits = 5;
  #length = 0;
  readonly #hash = newIdHash();

  get length(): number {
    return this.#length;
  }

  get memory(): number {
    return this.#ids.byteLength + this.#slots.byteLength;
  }

  /** Number of the id whose 20 bytes stand at `at`, which gets the next one if it has none. */
  numberOf(ids: Uint8Array, at: number): number {
    const slot = this.#slotOf(ids, at);
    const known = this.#slots[slot] as number;
    if (known !== 0) return known - 1;
    if ((this.#length + 1) * objectIdBytes > this.#ids.length) this.#growIds();
    const number = this.#length++;
    for (let i = 0; i < objectIdBytes; i++) this.#ids[number * objectIdBytes + i] = ids[at + i] as number;
    this.#slots[slot] = number + 1;
    if (this.#length * 2 > this.#slots.length) this.#growSlots();
    return number;
  }

  /** A copy of all of them, 20 bytes each. */
  bytes(): Uint8Array {
    return this.#ids.slice(0, this.#length * objectIdBytes);
  }

  /** The slot that holds the id, or the free one where it would be. */
  #slotOf(ids: Uint8Array, at: number): number {
    const last = this.#slots.length - 1;
    for (let slot = this.#hash(ids, at) >>> (32 - this.#bits); ; slot = (slot + 1) & last) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0 || compareObjectIds(this.#ids, number * objectIdBytes, ids, at) === 0) return slot;
    }
  }

  #growIds(): void {
    const larger = new Uint8Array(this.#ids.length * 2);
    larger.set(this.#ids);
    this.#ids = larger;
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    this.#bits++;
    for (let number = 0; number < this.#length; number++) {
      this.#slots[this.#slotOf(this.#ids, number * objectIdBytes)] = number + 1;
    }
  }
}
