import { slabSize, type BufferPool } from '../../pack/buffer-pool.ts';
import { windowKey, type ReadPlan } from '../../engine/engine.ts';
import { StorageError, type PackId } from '../../ports/pack-store.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import { packsFrom, packWindows, type PackWindow } from './pack-windows.ts';

/** Windows no larger than this have separate buffers, since a slab would cost small fetches more. */
const smallMax = 1024 * 1024;

/** A window with its bytes, which are valid until the next one is asked for. */
export interface FilledWindow {
  readonly window: PackWindow;
  readonly bytes: Uint8Array;
  /**
   * The bytes after `bytes` of an entry that is larger than any window; undefined without any. Consume it before the
   * next window is requested, or not at all; a chunk is valid until the next one is requested.
   */
  readonly rest: AsyncIterable<Uint8Array> | undefined;
}

interface Reading {
  readonly window: PackWindow;
  readonly bytes: Promise<Uint8Array>;
}

/** Reads the windows of a plan in order, some of them while one is worked on, into a few buffers that are used in turn. */
export async function* readWindows(
  view: RepositoryView,
  objects: Uint32Array,
  { windowMax, inFlight }: ReadPlan,
): AsyncGenerator<FilledWindow, void, undefined> {
  const buffers = new WindowBuffers(view.engine.buffers, windowMax);
  const reader = new WindowReader(view, objects, buffers, windowMax);
  const underWay: Reading[] = [];
  const finish = async function* (): AsyncGenerator<FilledWindow, void, undefined> {
    const { window, bytes: reading } = underWay.shift() as Reading;
    const bytes = await reading;
    yield { window, bytes, rest: restOf(view, window, bytes.length) };
    buffers.give(bytes);
  };
  try {
    for (const window of packWindows(view.set, objects, windowMax)) {
      while (underWay.length >= inFlight) yield* finish();
      const bytes = reader.read(window);
      // A failure is met where the window is awaited; until then it must not count as unhandled.
      bytes.catch(() => {});
      underWay.push({ window, bytes });
    }
    while (underWay.length > 0) yield* finish();
  } finally {
    // After an early return, pending reads still write into their buffers.
    await Promise.allSettled(underWay.map(({ bytes }) => bytes));
    buffers.close();
  }
}

/** Objects of a plan up to which its small windows are cached: many clients fetch what was pushed last. */
const keptObjectsMax = 2_000;
/** Bytes of the largest window that is cached. A read of it costs more than a copy. */
const keptWindowMax = 128 * 1024;

class WindowReader {
  readonly #view: RepositoryView;
  readonly #objects: Uint32Array;
  readonly #buffers: WindowBuffers;
  readonly #most: number;

  constructor(view: RepositoryView, objects: Uint32Array, buffers: WindowBuffers, most: number) {
    this.#view = view;
    this.#objects = objects;
    this.#buffers = buffers;
    this.#most = most;
  }

  /** Reads all of a window, or the first bytes of one large entry in the store. */
  async read({ pack, last, start, length }: PackWindow): Promise<Uint8Array> {
    const { set, engine } = this.#view;
    const rows = await this.#view.readRows(pack, packsFrom(set, this.#objects, last + 1));
    if (rows !== undefined) return rows.subarray(start, start + length);
    const { id } = pack.record;
    if (length > keptWindowMax || this.#objects.length > keptObjectsMax) return this.#readStored(id, start, length);
    const key = windowKey(id, start, length);
    const known = engine.sent.get(key);
    if (known !== undefined) return known;
    const bytes = await this.#readStored(id, start, length);
    engine.sent.set(key, bytes.slice());
    return bytes;
  }

  async #readStored(id: PackId, start: number, length: number): Promise<Uint8Array> {
    const buffer = this.#buffers.take(Math.min(length, this.#most));
    let at = 0;
    for await (const chunk of this.#view.repository.packs.stream(id, start, start + buffer.length)) {
      buffer.set(chunk, at);
      at += chunk.length;
    }
    // The rest would be bytes of another window.
    if (at < buffer.length) throw new StorageError(`A stored pack ends early, at ${start + at}`);
    return buffer;
  }
}

function restOf(
  view: RepositoryView,
  { pack, start, length }: PackWindow,
  read: number,
): AsyncIterable<Uint8Array> | undefined {
  return read === length ? undefined : view.repository.packs.stream(pack.record.id, start + read, start + length);
}

/** Buffers that windows are read into, one after the other: equal pieces of slabs, or for small windows single ones. */
class WindowBuffers {
  readonly #pool: BufferPool;
  readonly #pieceSize: number;
  readonly #slabs: Uint8Array[] = [];
  readonly #free: Uint8Array[] = [];
  readonly #small = new Set<ArrayBufferLike>();
  readonly #freeSmall: Uint8Array[] = [];

  constructor(pool: BufferPool, windowMax: number) {
    this.#pool = pool;
    this.#pieceSize = Math.min(windowMax, slabSize);
  }

  take(length: number): Uint8Array {
    if (length > this.#pieceSize) return new Uint8Array(length);
    if (length <= smallMax) return this.#takeSmall(length);
    if (this.#free.length === 0) this.#cut(this.#pool.take());
    return (this.#free.pop() as Uint8Array).subarray(0, length);
  }

  /** Takes back a buffer, if it is from here. */
  give({ buffer, byteOffset }: Uint8Array): void {
    if (this.#small.has(buffer)) this.#freeSmall.push(new Uint8Array(buffer));
    else if (this.#slabs.some((slab) => slab.buffer === buffer))
      this.#free.push(new Uint8Array(buffer, byteOffset, this.#pieceSize));
  }

  /** Gives the slabs back: nothing may be read into them any more. */
  close(): void {
    for (const slab of this.#slabs) this.#pool.give(slab);
  }

  /** A buffer that is too short is replaced, so that there are never more of them than windows in use. */
  #takeSmall(length: number): Uint8Array {
    const free = this.#freeSmall.pop();
    if (free !== undefined && free.length >= length) return free.subarray(0, length);
    if (free !== undefined) this.#small.delete(free.buffer);
    const made = new Uint8Array(length);
    this.#small.add(made.buffer);
    return made;
  }

  #cut(slab: Uint8Array): void {
    this.#slabs.push(slab);
    for (let at = 0; at + this.#pieceSize <= slab.length; at += this.#pieceSize) {
      this.#free.push(slab.subarray(at, at + this.#pieceSize));
    }
  }
}
