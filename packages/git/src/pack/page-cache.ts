import type { PackId, PackStore } from '../ports/pack-store.ts';
import type { PackSource } from './pack-source.ts';

/**
 * Bytes of a page: sixteen side-band packets full (65,515 bytes each), so that pages fit the frames of packs that are
 * stored ready for the wire.
 */
export const defaultPageSize: number = 16 * 65_515;

/** Ranges longer than this many pages are read on their own and not cached, as they would drive everything out. */
const cachedPagesMax = 4;

interface Page {
  readonly key: string;
  readonly bytes: Uint8Array;
}

/** Pages of stored packs, shared by all packs of a process; the least recently used go first. */
export class PageCache {
  readonly #budget: number;
  readonly #pageSize: number;
  /** In the order of their last use. */
  readonly #pages = new Map<string, Page>();
  readonly #loading = new Map<string, Promise<Uint8Array>>();
  #bytes = 0;

  /** Holds at most `budget` bytes, but at least one page. */
  constructor(budget: number, pageSize: number = defaultPageSize) {
    this.#budget = budget;
    this.#pageSize = pageSize;
  }

  /** Bytes it holds now. */
  get memory(): number {
    return this.#bytes;
  }

  /** The `pack` file of a stored pack, `size` bytes long, read through this cache. */
  source(store: PackStore, id: PackId, size: number): PackSource {
    let last: { number: number; page: Page } | undefined;

    const page = (number: number): Uint8Array | undefined => {
      // Most reads hit the page of the one before: no look-up, and it is the youngest already.
      if (last?.number === number) return last.page.bytes;
      const found = this.#touch(`${id}/${number}`);
      if (found !== undefined) last = { number, page: found };
      return found?.bytes;
    };

    const peek = (offset: number, length: number): Uint8Array | undefined => {
      const first = Math.floor(offset / this.#pageSize);
      const at = offset - first * this.#pageSize;
      const bytes = page(first);
      if (bytes === undefined) return undefined;
      if (at + length <= bytes.length) return bytes.subarray(at, at + length);
      return this.#join(page, offset, length);
    };

    const load = async (offset: number, length: number): Promise<Uint8Array> => {
      const first = Math.floor(offset / this.#pageSize);
      const end = Math.ceil((offset + length) / this.#pageSize);
      if (end - first > cachedPagesMax || offset + length > size) {
        return (await store.read(id, 'pack', [{ offset, length }]))[0] as Uint8Array;
      }
      const numbers = Array.from({ length: end - first }, (_, i) => first + i);
      const loaded = await Promise.all(numbers.map((number) => page(number) ?? this.#load(store, id, number, size)));
      return this.#join((number) => loaded[number - first], offset, length) as Uint8Array;
    };

    return { peek, load };
  }

  #join(page: (number: number) => Uint8Array | undefined, offset: number, length: number): Uint8Array | undefined {
    const end = offset + length;
    const first = Math.floor(offset / this.#pageSize);
    if (end <= (first + 1) * this.#pageSize) {
      return page(first)?.subarray(offset - first * this.#pageSize, end - first * this.#pageSize);
    }
    if (Math.ceil(end / this.#pageSize) - first > cachedPagesMax) return undefined;
    const joined = new Uint8Array(length);
    for (let from = offset; from < end;) {
      const number = Math.floor(from / this.#pageSize);
      const start = number * this.#pageSize;
      const piece = page(number)?.subarray(from - start, end - start);
      if (piece === undefined || piece.length === 0) return undefined;
      joined.set(piece, from - offset);
      from += piece.length;
    }
    return joined;
  }

  #load(store: PackStore, id: PackId, number: number, size: number): Promise<Uint8Array> {
    const key = `${id}/${number}`;
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const offset = number * this.#pageSize;
    const loading = store
      .read(id, 'pack', [{ offset, length: Math.min(this.#pageSize, size - offset) }])
      .then(([bytes]) => {
        this.#add({ key, bytes: bytes as Uint8Array });
        return bytes as Uint8Array;
      })
      .finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  #touch(key: string): Page | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  #add(page: Page): void {
    this.#pages.set(page.key, page);
    this.#bytes += page.bytes.length;
    for (const [key, oldest] of this.#pages) {
      if (this.#bytes <= this.#budget || oldest === page) break;
      this.#pages.delete(key);
      this.#bytes -= oldest.bytes.length;
    }
  }
}
