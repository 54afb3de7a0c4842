import type { GitObject, KindNumber } from '../object/kind.ts';

const firstCapacity = 64 * 1024;
/** Room for one entry's bookkeeping per so many bytes: few objects are smaller. */
const bytesPerEntry = 256;
/** Larger bodies than this part of the ring would drive too much out. */
const bodyShare = 8;

/** A cache of objects that are too large for a ring. */
export interface LargeBodies {
  get(key: number): GitObject | undefined;
  add(key: number, object: GitObject): void;
  /** Tests if a body is in the cache. */
  holds(body: Uint8Array): boolean;
}

/**
 * Bodies of objects that were read lately, behind each other in one buffer that is written round and round: a walk over
 * a history reads hundreds of thousands of small trees, and an array each would keep the collector busy and the heap
 * large. What is used while it stands in the older half is written again, so that it stays.
 *
 * A view of a body is valid until {@link BodyRing.written} has grown by half the budget.
 */
export class BodyRing {
  /** Larger bodies get a separate array, and are not kept. */
  readonly bodyMax: number;
  readonly #budget: number;
  /** Starts small and grows up to the budget; only then is anything written over. */
  #bytes: Uint8Array = new Uint8Array(0);
  #written = 0;
  /** Entries so far. Number n stands at n modulo the tables' length. */
  #entries = 0;
  /** The oldest entry that the tables were given: those before it were lost when the ring grew. */
  #first = 0;
  #tables: EntryTables = newTables(0);
  readonly #large: LargeBodies | undefined;

  /** Takes up to `budget` bytes, a power of two from 64 KiB. `large` keeps larger objects. Default: they are not kept. */
  constructor(budget: number, large?: LargeBodies) {
    this.#budget = budget;
    this.#large = large;
    this.bodyMax = budget / bodyShare;
  }

  /** Bytes written so far, counted on over all rounds. */
  get written(): number {
    return this.#written;
  }

  /** The object of a key, an integer below 2^32. */
  get(key: number): GitObject | undefined {
    const entry = this.#find(key);
    if (entry < 0) return this.#large?.get(key);
    const { keys, kinds, starts, sizes } = this.#tables;
    const i = entry % keys.length;
    const start = starts[i] as number;
    const size = sizes[i] as number;
    const kind = kinds[i] as KindNumber;
    const capacity = this.#bytes.length;
    if (capacity < this.#budget || start >= this.#written - capacity / 2)
      return { kind, body: this.#view(start, size) };
    const body = this.#room(size);
    // The new place may reach over the old one; the copy is right all the same.
    this.#bytes.copyWithin(body.byteOffset, start % capacity, (start % capacity) + size);
    this.add(key, kind, body);
    return { kind, body };
  }

  /** Room for a body that is made now: to be filled, and then to be given to {@link BodyRing.add}. */
  allocate(size: number): Uint8Array {
    return size > this.bodyMax ? new Uint8Array(size) : this.#room(size);
  }

  /** Keeps a body that was filled in the room allocated last; one too large for that is let go. */
  add(key: number, kind: KindNumber, body: Uint8Array): void {
    if (body.buffer === this.#bytes.buffer) this.#enter(key, kind, this.#written - body.length, body.length);
  }

  /** Keeps an object that a caller asked for, if it is too large for the ring. */
  keepLarge(key: number, object: GitObject): void {
    if (object.body.length > this.bodyMax) this.#large?.add(key, object);
  }

  /** Tests if a body is kept, so that nothing may be written over it. */
  holds(body: Uint8Array): boolean {
    return body.buffer === this.#bytes.buffer || this.#large?.holds(body) === true;
  }

  #enter(key: number, kind: number, start: number, size: number): void {
    const { keys, kinds, starts, sizes, before, newest } = this.#tables;
    const i = this.#entries % keys.length;
    const hash = hashOf(key) % newest.length;
    keys[i] = key;
    kinds[i] = kind;
    starts[i] = start;
    sizes[i] = size;
    before[i] = newest[hash] as number;
    newest[hash] = ++this.#entries;
  }

  #room(size: number): Uint8Array {
    while (
      this.#bytes.length === 0 ||
      (this.#written + size > this.#bytes.length && this.#bytes.length < this.#budget)
    ) {
      this.#grow();
    }
    const rest = this.#bytes.length - (this.#written % this.#bytes.length);
    if (size > rest) this.#written += rest;
    const start = this.#written;
    this.#written += size;
    return this.#view(start, size);
  }

  /** Nothing was written over yet, so places stay what they are. */
  #grow(): void {
    const larger = new Uint8Array(Math.min(this.#budget, Math.max(4 * this.#bytes.length, firstCapacity)));
    larger.set(this.#bytes);
    this.#bytes = larger;
    const old = this.#tables;
    const most = old.keys.length;
    const end = this.#entries;
    this.#tables = newTables(larger.length / bytesPerEntry);
    this.#first = Math.max(this.#first, end - most);
    for (let entry = (this.#entries = this.#first); entry < end; entry++) {
      const i = entry % most;
      this.#enter(old.keys[i] as number, old.kinds[i] as number, old.starts[i] as number, old.sizes[i] as number);
    }
  }

  #view(start: number, size: number): Uint8Array {
    const from = start % this.#bytes.length;
    return this.#bytes.subarray(from, from + size);
  }

  #find(key: number): number {
    const { keys, starts, before, newest } = this.#tables;
    if (keys.length === 0) return -1;
    const oldest = Math.max(0, this.#entries - keys.length);
    const oldestByte = this.#written - this.#bytes.length;
    for (let entry = (newest[hashOf(key) % newest.length] as number) - 1; entry >= oldest;) {
      const i = entry % keys.length;
      // Entries further down the chain were written earlier.
      if ((starts[i] as number) < oldestByte) return -1;
      if (keys[i] === key) return entry;
      entry = (before[i] as number) - 1;
    }
    return -1;
  }
}

/** By entry, except the last. */
interface EntryTables {
  readonly keys: Uint32Array;
  readonly kinds: Uint8Array;
  /** Start of the body, counted like {@link BodyRing.written}. */
  readonly starts: Float64Array;
  readonly sizes: Uint32Array;
  /** The previous entry with the same hash, plus one; 0 without one. */
  readonly before: Uint32Array;
  /** By hash: the newest entry plus one; 0: none. */
  readonly newest: Uint32Array;
}

function newTables(most: number): EntryTables {
  return {
    keys: new Uint32Array(most),
    kinds: new Uint8Array(most),
    starts: new Float64Array(most),
    sizes: new Uint32Array(most),
    before: new Uint32Array(most),
    newest: new Uint32Array(most),
  };
}

function hashOf(key: number): number {
  return Math.imul(key, 0x9e37_79b1) >>> 8;
}
