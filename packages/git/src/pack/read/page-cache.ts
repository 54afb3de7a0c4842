import type { PackId, PackStore } from '../../ports/pack-store.ts';
import { slabSize, type BufferPool } from '../buffer-pool.ts';
import { PackPages } from './pack-pages.ts';
import type { PackSource } from './pack-source.ts';

/**
 * Bytes of a page: sixteen side-band packets full (65,515 bytes each), so that pages fit the frames of packs that are
 * stored ready for the wire.
 */
export const defaultPageSize: number = 16 * 65_515;

/** A page that holds what its key says for as long as it is `live`; after that its bytes are those of another one. */
export interface Page {
  readonly key: string;
  /** A buffer of the whole page size; the last page of a pack fills only its start. */
  readonly buffer: Uint8Array;
  readonly length: number;
  live: boolean;
}

/**
 * Pages of stored packs, shared by all packs of a process; the least recently used go first. Their buffers are a fixed
 * set that is used again and again, since fresh ones would wait for the collector by the hundred. So a view of a page is
 * valid only until the next `await`. No promise is shared: on Workers one request must not wait for another's.
 */
export class PageCache {
  readonly pageSize: number;
  /** Most pages that are kept. */
  readonly capacity: number;
  /** In the order of their last use. */
  readonly #pages = new Map<string, Page>();
  readonly #free: Uint8Array[] = [];
  /** Buffers that are being filled. */
  #taken = 0;
  /** A runtime may end a request without a last word: what it was filling is gone when the collector finds it. */
  readonly #lost = new FinalizationRegistry<undefined>(() => {
    this.#taken--;
  });
  readonly #pool: BufferPool | undefined;
  readonly #filling = new Set<Promise<void>>();

  /**
   * Holds at most `budget` bytes, but at least one page, and for a moment those that are being filled. `pool`: where it
   * takes its buffers from, as long as whole slabs fit. Default: it makes them.
   */
  constructor(budget: number, pageSize: number = defaultPageSize, pool?: BufferPool) {
    this.pageSize = pageSize;
    this.#pool = pool;
    this.capacity = Math.max(1, Math.floor(budget / pageSize));
  }

  /** Bytes of all its buffers. */
  get memory(): number {
    return this.#buffers * this.pageSize;
  }

  get #buffers(): number {
    return this.#pages.size + this.#free.length + this.#taken;
  }

  /** The `pack` file of a stored pack, `size` bytes long, read through this cache, for one request. */
  source(store: PackStore, id: PackId, size: number): PackSource {
    return new PackPages(this, store, id, size);
  }

  /** The page of that key, which counts as used now. */
  get(key: string): Page | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  has(key: string): boolean {
    return this.#pages.has(key);
  }

  /** A buffer to fill: to be given to {@link PageCache.add} or {@link PageCache.giveBack}. */
  take(): Uint8Array {
    const buffer = this.#free.pop() ?? this.#unused();
    this.#taken++;
    this.#lost.register(buffer, undefined, buffer);
    return buffer;
  }

  giveBack(buffer: Uint8Array): void {
    this.#noLongerTaken(buffer);
    this.#free.push(buffer);
    this.#shrink();
  }

  /** Keeps a buffer that was filled to `length` bytes. */
  add(key: string, buffer: Uint8Array, length: number): void {
    if (this.#pages.has(key)) {
      // Another request has read it meanwhile.
      this.giveBack(buffer);
      return;
    }
    this.#noLongerTaken(buffer);
    this.#pages.set(key, { key, buffer, length, live: true });
    this.#shrink();
  }

  /** Records a read into its buffers. */
  noteFilling(filling: Promise<void>): void {
    this.#filling.add(filling);
    void filling.finally(() => this.#filling.delete(filling));
  }

  /** Resolves when nothing is being read into its buffers: for a cache of one request. */
  async settled(): Promise<void> {
    await Promise.all(this.#filling);
  }

  /** Takes over an unused buffer as pages. */
  donate(buffer: Uint8Array): void {
    for (let at = 0; at + this.pageSize <= buffer.length; at += this.pageSize) {
      this.#free.push(buffer.subarray(at, at + this.pageSize));
    }
  }

  /** Lets go of all pages and buffers that are not being filled. */
  clear(): void {
    for (const page of this.#pages.values()) page.live = false;
    this.#pages.clear();
    this.#free.length = 0;
  }

  /** Buffers beyond the budget were made while all others were being filled. */
  #shrink(): void {
    while (this.#buffers > this.capacity) {
      if (this.#free.pop() === undefined && (this.#pages.size < 2 || this.#dropOldest() === undefined)) return;
    }
  }

  #noLongerTaken(buffer: Uint8Array): void {
    // What comes from outside was never taken.
    if (this.#lost.unregister(buffer)) this.#taken--;
  }

  /** The buffer of the page that goes, or a new one. */
  #unused(): Uint8Array {
    if (this.#buffers >= this.capacity) {
      const oldest = this.#dropOldest();
      if (oldest !== undefined) return oldest;
    }
    if (this.#pool !== undefined && this.#buffers + Math.floor(slabSize / this.pageSize) <= this.capacity) {
      this.donate(this.#pool.take());
      return this.#free.pop() as Uint8Array;
    }
    return new Uint8Array(this.pageSize);
  }

  #dropOldest(): Uint8Array | undefined {
    for (const [key, page] of this.#pages) {
      this.#pages.delete(key);
      page.live = false;
      return page.buffer;
    }
    return undefined;
  }
}
