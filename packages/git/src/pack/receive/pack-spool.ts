import type { PackId, PackStore, PackUpload } from '../../ports/pack-store.ts';
import type { BufferPool } from '../buffer-pool.ts';
import { partsMost } from './memory-plan.ts';

/** The first part starts small where nothing is known, since most pushes are. */
const firstSize = 64 * 1024;
/** Size to grow to before it takes a whole part, since outgrown buffers wait for the garbage collector. */
const secondSize = 1024 * 1024;

/** Memory of a spool with one part that has taken `size` bytes: the part that is filled, and the one before it. */
export function spoolMemory(size: number, partSize: number): number {
  if (size <= firstSize) return 0;
  return size <= secondSize ? 2 * secondSize : 2 * partSize;
}

/**
 * Receives the bytes of a pack. A few parts of the store stay in memory. Longer packs are uploaded in order, and
 * their buffers are reused, so that memory does not depend on the pack.
 */
export class PackSpool {
  readonly #store: PackStore;
  /** Full parts in memory, then the one being filled. */
  #parts: Uint8Array[] = [];
  #filled = 0;
  #size = 0;
  #id: PackId | undefined;
  #upload: PackUpload | undefined;
  /** Uploads under way, oldest first, each with the buffer that becomes free. */
  #underWay: Promise<Uint8Array>[] = [];
  #nextPart = 0;
  readonly #pool: BufferPool;
  readonly #firstSize: number;
  /** Parts that are gathered before anything is written. Set it before the second part begins. */
  parts: number = partsMost;
  /** Buffers of a whole part that are not in use. */
  readonly #free: Uint8Array[];

  /**
   * `buffers`: of a whole part each, which are used before others are taken from `pool`. `expected`: bytes that will
   * come at most, if that is known.
   */
  constructor(store: PackStore, pool: BufferPool, buffers: readonly Uint8Array[] = [], expected: number = firstSize) {
    this.#store = store;
    this.#pool = pool;
    this.#firstSize = Math.min(expected, store.partSize);
    this.#free = [...buffers];
  }

  /** Bytes taken so far. */
  get size(): number {
    return this.#size;
  }

  /** Pack id in the store, once the bytes were too many for memory. */
  get id(): PackId | undefined {
    return this.#id;
  }

  /** Takes a copy of `bytes`; a promise where the store must be waited for. */
  append(bytes: Uint8Array): void | Promise<void> {
    const part = this.#parts.at(-1);
    if (part !== undefined && this.#filled + bytes.length <= part.length) {
      part.set(bytes, this.#filled);
      this.#filled += bytes.length;
      this.#size += bytes.length;
      return undefined;
    }
    return this.#appendSlowly(bytes);
  }

  /** The pack in parts, if it is still in memory. */
  memory(): Uint8Array[] | undefined {
    if (this.#upload !== undefined) return undefined;
    return this.#parts.map((part, i) => (i === this.#parts.length - 1 ? part.subarray(0, this.#filled) : part));
  }

  /** Makes an upload complete; does nothing for a pack in memory. Answers the buffers, which are free now. */
  async complete(): Promise<readonly Uint8Array[]> {
    const upload = this.#upload;
    if (upload === undefined) return [];
    const part = this.#parts.pop();
    if (part !== undefined) {
      if (this.#filled > 0) await upload.write(this.#nextPart++, part.subarray(0, this.#filled));
      this.#free.push(part);
    }
    this.#free.push(...(await Promise.all(this.#underWay)));
    this.#underWay = [];
    await upload.complete(this.#size);
    return this.#free.splice(0);
  }

  /** Removes all written bytes, and returns the buffers that are certainly unused. Safe at any time. */
  async discard(): Promise<void> {
    const settled = await Promise.allSettled(this.#underWay.splice(0));
    // One whose upload failed may still be read.
    for (const upload of settled) if (upload.status === 'fulfilled') this.#free.push(upload.value);
    for (const buffer of [...this.#parts.splice(0), ...this.#free.splice(0)]) this.#pool.give(buffer);
    await this.#upload?.abort();
    if (this.#id !== undefined) await this.#store.remove(this.#id);
  }

  async #appendSlowly(bytes: Uint8Array): Promise<void> {
    const { partSize } = this.#store;
    for (let at = 0; at < bytes.length;) {
      let part = this.#parts.at(-1);
      if (part === undefined || this.#filled === partSize) {
        part = await this.#nextBuffer();
        this.#parts.push(part);
        this.#filled = 0;
      } else if (this.#filled === part.length) {
        const larger = this.#buffer(part.length < secondSize ? Math.min(partSize, secondSize) : partSize);
        larger.set(part);
        this.#parts[this.#parts.length - 1] = part = larger;
      }
      const taken = Math.min(part.length - this.#filled, bytes.length - at);
      part.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      this.#size += taken;
      at += taken;
    }
  }

  #buffer(size: number): Uint8Array {
    if (size < this.#store.partSize) return new Uint8Array(size);
    return this.#free.pop() ?? this.#pool.take(size);
  }

  /** An empty part: a new one, or past the bound one whose bytes are stored. */
  async #nextBuffer(): Promise<Uint8Array> {
    const { partSize } = this.#store;
    if (this.#upload === undefined) {
      if (this.#parts.length === 0) return this.#buffer(this.#firstSize);
      if (this.#parts.length < this.parts) return this.#buffer(partSize);
      this.#id = await this.#store.reserve();
      this.#upload = await this.#store.upload(this.#id);
    }
    for (const part of this.#parts.splice(0)) {
      const stored = this.#upload.write(this.#nextPart++, part).then(() => part);
      // A failure is seen when the buffer is needed again, or at the end.
      stored.catch(() => undefined);
      this.#underWay.push(stored);
    }
    return (await this.#underWay.shift()) as Uint8Array;
  }
}
