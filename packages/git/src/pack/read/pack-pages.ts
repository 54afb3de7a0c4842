import { StorageError, type PackId, type PackStore } from '../../ports/pack-store.ts';
import type { PackSource } from './pack-source.ts';
import type { Page, PageCache } from './page-cache.ts';

/** Ranges longer than this many pages are read on their own and not cached, as they would drive everything out. */
const cachedPagesMax = 4;
/** Pages that are read along with the one that is asked for, where reading goes on from one to the next. */
const pagesAhead = 2;
/** In a smaller cache, what is read ahead would drive out what is being used. */
const aheadCapacityMin = 8;

/** One pack read through a {@link PageCache}, for one request: pages that lie behind each other come in one range. */
export class PackPages implements PackSource {
  readonly #cache: PageCache;
  readonly #store: PackStore;
  readonly #id: PackId;
  readonly #size: number;
  readonly #pageCount: number;
  /** Pages on their way. */
  readonly #arriving: Map<number, Promise<void>> = new Map();
  /** The page behind the last one that was read. */
  #next = 0;
  #last: Page | undefined;
  #lastNumber = -1;
  /** Start of the range loaded last, until it was found. */
  #loaded = -1;

  constructor(cache: PageCache, store: PackStore, id: PackId, size: number) {
    this.#cache = cache;
    this.#store = store;
    this.#id = id;
    this.#size = size;
    this.#pageCount = Math.ceil(size / cache.pageSize);
  }

  peek(offset: number, length: number): Uint8Array | undefined {
    const { pageSize } = this.#cache;
    const first = Math.floor(offset / pageSize);
    const at = offset - first * pageSize;
    const page = this.#page(first);
    if (page === undefined) return undefined;
    const bytes = at + length <= page.length ? page.buffer.subarray(at, at + length) : this.#join(offset, length);
    if (bytes !== undefined) this.#loaded = -1;
    return bytes;
  }

  async load(offset: number, length: number): Promise<Uint8Array | undefined> {
    const { pageSize, capacity } = this.#cache;
    const first = Math.floor(offset / pageSize);
    const end = Math.ceil((offset + length) / pageSize);
    // What was loaded and is not there any more was driven out at once: it would be so again.
    const again = this.#loaded === offset;
    this.#loaded = offset;
    if (again || end - first > Math.min(cachedPagesMax, capacity) || offset + length > this.#size) {
      return (await this.#store.read(this.#id, 'pack', [{ offset, length }]))[0] as Uint8Array;
    }
    for (let number = first; number < end; number++) {
      if (this.#page(number) === undefined) await (this.#arriving.get(number) ?? this.#request(number, end));
    }
    return undefined;
  }

  #page(number: number): Page | undefined {
    // Most reads hit the page of the one before: no look-up, and it is the youngest already.
    if (this.#lastNumber === number && this.#last?.live === true) return this.#last;
    const page = this.#cache.get(this.#key(number));
    if (page === undefined) return undefined;
    this.#last = page;
    this.#lastNumber = number;
    return page;
  }

  #key(number: number): string {
    return `${this.#id}/${number}`;
  }

  #isMissing(number: number): boolean {
    return !this.#arriving.has(number) && !this.#cache.has(this.#key(number));
  }

  #join(offset: number, length: number): Uint8Array | undefined {
    const { pageSize } = this.#cache;
    const end = offset + length;
    if (Math.ceil(end / pageSize) - Math.floor(offset / pageSize) > cachedPagesMax) return undefined;
    const joined = new Uint8Array(length);
    for (let from = offset; from < end;) {
      const number = Math.floor(from / pageSize);
      const start = number * pageSize;
      const page = this.#page(number);
      const piece = page?.buffer.subarray(from - start, Math.min(page.length, end - start));
      if (piece === undefined || piece.length === 0) return undefined;
      joined.set(piece, from - offset);
      from += piece.length;
    }
    return joined;
  }

  /** Begins to read the page `first`, with missing ones behind it; resolves when that page is there. */
  #request(first: number, end: number): Promise<void> {
    let stop = first + 1;
    while (stop < end && this.#isMissing(stop)) stop++;
    if (first === this.#next && this.#cache.capacity >= aheadCapacityMin) {
      const most = Math.min(stop + pagesAhead, this.#pageCount);
      while (stop < most && this.#isMissing(stop)) stop++;
    }
    this.#next = stop;
    const doors: Door[] = [];
    for (let number = first; number < stop; number++) {
      const door = openDoor();
      doors.push(door);
      this.#arriving.set(number, door.passed);
      // A failed read-ahead is not unhandled; a later reader tries again.
      door.passed.catch(() => {}).finally(() => this.#arriving.delete(number));
    }
    this.#cache.noteFilling(this.#fill(first, stop, doors));
    return (doors[0] as Door).passed;
  }

  /** Never rejects. */
  async #fill(first: number, stop: number, doors: readonly Door[]): Promise<void> {
    const { pageSize } = this.#cache;
    let number = first;
    let filled = 0;
    let buffer = this.#cache.take();
    try {
      const end = Math.min(stop * pageSize, this.#size);
      for await (const chunk of this.#store.stream(this.#id, first * pageSize, end)) {
        for (let at = 0; at < chunk.length && number < stop;) {
          const length = Math.min(pageSize, this.#size - number * pageSize);
          const taken = Math.min(length - filled, chunk.length - at);
          buffer.set(taken === chunk.length ? chunk : chunk.subarray(at, at + taken), filled);
          filled += taken;
          at += taken;
          if (filled < length) continue;
          this.#cache.add(this.#key(number), buffer, length);
          doors[number - first]?.open();
          number++;
          filled = 0;
          if (number < stop) buffer = this.#cache.take();
        }
      }
      if (number < stop) throw new StorageError('a stored pack ends early');
    } catch (error) {
      if (number < stop) this.#cache.giveBack(buffer);
      for (; number < stop; number++) doors[number - first]?.fail(error);
    }
  }
}

/** A promise that is settled from outside. */
interface Door {
  readonly passed: Promise<void>;
  readonly open: () => void;
  readonly fail: (error: unknown) => void;
}

function openDoor(): Door {
  let open: () => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { passed, open, fail };
}
