import { createHash } from 'node:crypto';
import { StorageError, type PackFile, type PackId, type PackStore } from '@packhouse/git';

/** Bytes of each file of a pack, as its repository has them. */
export type PackSizes = Readonly<Record<PackFile, number>>;

/** SHA-256 of each file of a pack. */
export type PackDigests = Readonly<Record<PackFile, string>>;

/** Bytes of a checksum at the end of packs and indexes (gitformat-pack). */
const checksumBytes = 20;

/** A file of a pack is missing, short, or does not have its own checksum. */
export class DamagedPackError extends StorageError {
  constructor(id: PackId, what: string) {
    super(`Pack ${id} ${what}`);
  }
}

/** Computes the digest of a pack from its chunks, and its own checksum. */
export class PackDigest {
  readonly #digest = createHash('sha256');
  readonly #checksum = createHash('sha1');
  /** The last bytes, which may be the checksum. */
  #end: Uint8Array = new Uint8Array(0);

  add(chunk: Uint8Array): void {
    this.#digest.update(chunk);
    const both = Buffer.concat([this.#end, chunk.subarray(Math.max(0, chunk.length - checksumBytes))]);
    const known = chunk.subarray(0, Math.max(0, chunk.length - checksumBytes));
    const leaving = both.subarray(0, Math.max(0, both.length - checksumBytes));
    // In order: what was kept, then the start of the chunk.
    const kept = Math.min(leaving.length, this.#end.length);
    this.#checksum.update(leaving.subarray(0, kept));
    this.#checksum.update(known);
    this.#end = Uint8Array.from(both.subarray(leaving.length));
  }

  /** @throws {DamagedPackError} if the pack does not end with the checksum of what precedes it. */
  end(id: PackId): { readonly digest: string; readonly checksum: Uint8Array } {
    if (!this.#checksum.digest().equals(this.#end)) throw new DamagedPackError(id, 'does not have its checksum');
    return { digest: this.#digest.digest('hex'), checksum: this.#end };
  }
}

/**
 * Checks that an index has its own checksum and that of its pack.
 *
 * @throws {DamagedPackError}
 */
export function checkIndex(id: PackId, idx: Uint8Array, packChecksum: Uint8Array): void {
  const own = idx.subarray(-checksumBytes);
  const ofPack = idx.subarray(-2 * checksumBytes, -checksumBytes);
  const isSound = createHash('sha1').update(idx.subarray(0, -checksumBytes)).digest().equals(own);
  if (!isSound) throw new DamagedPackError(id, 'has an index without its checksum');
  if (Buffer.compare(ofPack, packChecksum) !== 0) throw new DamagedPackError(id, 'has the index of another pack');
}

/** Reads a whole index or graph. */
export async function readWhole(store: PackStore, id: PackId, file: PackFile, size: number): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array(0);
  const [bytes] = await store.read(id, file, [{ offset: 0, length: size }]);
  return bytes as Uint8Array;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Reads all files of a pack, and returns their digests.
 *
 * @throws {DamagedPackError} for a checksum that is wrong, {@link StorageError} if a file is missing or short.
 */
export async function packDigests(store: PackStore, id: PackId, sizes: PackSizes): Promise<PackDigests> {
  const pack = new PackDigest();
  let size = 0;
  for await (const chunk of store.stream(id)) {
    size += chunk.length;
    pack.add(chunk);
  }
  if (size !== sizes.pack) throw new DamagedPackError(id, `has ${size} bytes, not ${sizes.pack}`);
  const { digest, checksum } = pack.end(id);
  const idx = await readWhole(store, id, 'idx', sizes.idx);
  checkIndex(id, idx, checksum);
  return { pack: digest, idx: digestOf(idx), graph: digestOf(await readWhole(store, id, 'graph', sizes.graph)) };
}
