/** Bytes of a slab: no part of an upload is larger. */
export const slabSize: number = 8 * 1024 * 1024;
/** Parts that are smaller than this would waste too much of one. */
const partMin = slabSize / 2;

/**
 * Large buffers that requests borrow, so that those of one do not wait for the collector while the next one makes its
 * own. What is idle is no request's memory, and goes when requests need the room.
 */
export class BufferPool {
  readonly #idleMax: number;
  readonly #idle: ArrayBufferLike[] = [];

  /** Keeps up to `idleMax` unused bytes. */
  constructor(idleMax: number) {
    this.#idleMax = idleMax;
  }

  get idleBytes(): number {
    return this.#idle.length * slabSize;
  }

  /** Returns a buffer for one part of `size` bytes; a separate one if a slab does not fit. */
  take(size: number = slabSize): Uint8Array {
    if (size > slabSize || size < partMin) return new Uint8Array(size);
    return new Uint8Array(this.#idle.pop() ?? new ArrayBuffer(slabSize), 0, size);
  }

  /** Takes back an unused buffer. Drops buffers that are not slabs. */
  give({ buffer }: Uint8Array): void {
    if (buffer.byteLength === slabSize && this.idleBytes + slabSize <= this.#idleMax) this.#idle.push(buffer);
  }

  /** Lets go of all but `bytes` of what is idle. */
  trim(bytes: number): void {
    while (this.idleBytes > bytes) this.#idle.pop();
  }
}
