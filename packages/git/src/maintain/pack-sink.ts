import type { BufferPool } from '../pack/buffer-pool.ts';
import { packHeader } from '../pack/pack-writer.ts';
import type { Codec, Sha1 } from '../ports/codec.ts';
import type { PackId, PackStore, PackUpload } from '../ports/pack-store.ts';

/** Number of bytes that are added to the checksum at once; limited so that one call is short. */
const sumMax = 1024 * 1024;

/**
 * Receives a pack from front to end: into one buffer if it is for rows, else into parts of the store, holding one at a
 * time.
 */
export class PackSink {
  readonly #store: PackStore;
  readonly #pool: BufferPool;
  /** Digest of all bytes before the trailer. */
  #sha1: Sha1 | undefined;
  readonly #isSmall: boolean;
  readonly #buffer: Uint8Array;
  #filled = 0;
  /** Bytes in the buffer that are already part of the checksum. */
  #summed = 0;
  /** Number of bytes in the parts that were written. */
  #written = 0;
  #parts = 0;
  #id: PackId | undefined;
  #upload: PackUpload | undefined;

  /** @param small maximum bytes of the pack, if it is for rows. */
  constructor(store: PackStore, pool: BufferPool, codec: Codec, small: number | undefined) {
    this.#store = store;
    this.#pool = pool;
    this.#sha1 = codec.sha1();
    this.#isSmall = small !== undefined;
    this.#buffer = small === undefined ? pool.take(store.partSize) : new Uint8Array(small);
  }

  /** Number of bytes so far: the offset of the next byte. */
  get size(): number {
    return this.#written + this.#filled;
  }

  begin(count: number): void | Promise<void> {
    return this.append(packHeader(count));
  }

  /** Copies `bytes` into the pack. Returns a promise if the store needs time. */
  append(bytes: Uint8Array): void | Promise<void> {
    if (this.#filled + bytes.length > this.#buffer.length) return this.#appendInPieces(bytes);
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
    if (this.#filled - this.#summed >= sumMax) this.#sumUp();
    return undefined;
  }

  /** Writes the trailer and returns it. */
  async end(): Promise<Uint8Array> {
    this.#sumUp();
    const trailer = (this.#sha1 as Sha1).digest();
    this.#sha1 = undefined;
    await this.append(trailer);
    return trailer;
  }

  /** The whole pack, if it is small. */
  bytes(): Uint8Array | undefined {
    return this.#isSmall ? this.#buffer.subarray(0, this.#filled) : undefined;
  }

  /** Stores the pack with its other files and returns its id. Call it after `end`. */
  async store(idx: Uint8Array, graph: Uint8Array): Promise<PackId> {
    const last = this.#buffer.subarray(0, this.#filled);
    const id = await this.#reserve();
    if (this.#upload === undefined) {
      await this.#store.put(id, 'pack', [last]);
    } else {
      if (last.length > 0) await this.#upload.write(this.#parts, last);
      await this.#upload.complete(this.#written + last.length);
    }
    this.#pool.give(this.#buffer);
    await this.#store.put(id, 'idx', [idx]);
    await this.#store.put(id, 'graph', [graph]);
    return id;
  }

  /** Removes the stored files. The sweeper removes what this call misses. */
  async discard(): Promise<void> {
    await this.#upload?.abort().catch(() => {});
    if (this.#id !== undefined) await this.#store.remove(this.#id).catch(() => {});
  }

  async #appendInPieces(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.#filled === this.#buffer.length) await this.#flush();
      const taken = Math.min(this.#buffer.length - this.#filled, bytes.length - at);
      this.#buffer.set(bytes.subarray(at, at + taken), this.#filled);
      this.#filled += taken;
      at += taken;
      if (this.#filled - this.#summed >= sumMax) this.#sumUp();
    }
  }

  async #flush(): Promise<void> {
    if (this.#isSmall) throw new Error('a pack is larger than was planned');
    this.#sumUp();
    this.#upload ??= await this.#store.upload(await this.#reserve());
    await this.#upload.write(this.#parts++, this.#buffer);
    this.#written += this.#filled;
    this.#filled = 0;
    this.#summed = 0;
  }

  #sumUp(): void {
    this.#sha1?.update(this.#buffer.subarray(this.#summed, this.#filled));
    this.#summed = this.#filled;
  }

  async #reserve(): Promise<PackId> {
    return (this.#id ??= await this.#store.reserve());
  }
}
