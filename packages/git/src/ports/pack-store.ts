/**
 * Where the packs of one repository lie: immutable blobs, three to a pack, named by a random id.
 *
 * The shape is what object storage allows: keys are never used twice, a blob appears whole or not at all, parts of
 * an upload have one size, and reads are ranges. Disk and memory can do all that easily.
 */

declare const packIdBrand: unique symbol;

/** 32 lower-case hexadecimal digits, random: never derived from content, so that retries do not collide. */
export type PackId = string & { readonly [packIdBrand]: true };

/** Reads the text form of a pack id; `undefined` for anything else, so that no path or key is made of it. */
export function parsePackId(text: string): PackId | undefined {
  return /^[0-9a-f]{32}$/.test(text) ? (text as PackId) : undefined;
}

/** A fresh id: 128 bits of a cryptographic random source. */
export function newPackId(): PackId {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') as PackId;
}

/** `pack` and `idx` are Git's own formats, `graph` is that of `docs/design/graph.md`. */
export type PackFile = 'pack' | 'idx' | 'graph';

export const packFiles: readonly PackFile[] = ['pack', 'idx', 'graph'];

/** Bytes `offset` to `offset + length`, exclusive. `length` is at least 1. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface PackStore {
  /**
   * Size in bytes of every part of an {@link PackUpload} but the last, which may be smaller, never larger.
   * At least 5 MiB on object storage.
   */
  readonly partSize: number;

  /**
   * A new id for a pack that is about to be stored here, noted durably so that {@link PackStore.leftovers} finds what a
   * dead writer leaves behind. A pack that lies in rows of the state needs none: its id is just {@link newPackId}, and
   * this store never hears of it.
   */
  reserve(): Promise<PackId>;

  /**
   * Stores one file of a pack whole; durable when resolved, invisible before. A file is put once.
   * The chunks are not kept: the caller may reuse them once the promise has resolved.
   *
   * @throws {StorageError} when it could not be stored; the file is then absent.
   */
  put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void>;

  /** Begins storing the `pack` file of a pack of unknown length in parts. */
  upload(id: PackId): Promise<PackUpload>;

  /**
   * Reads ranges of one file; the answers stand in the order of the ranges and have exactly their lengths.
   *
   * @throws {StorageError} if the file is absent or ends before a range does.
   */
  read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]>;

  /**
   * The bytes `start` to `end` (exclusive; default: to the end) of the `pack` file, in order. A chunk is valid until
   * the next one is asked for. Returning early closes what is open. Throws {@link StorageError} as `read` does.
   */
  stream(id: PackId, start?: number, end?: number): AsyncIterable<Uint8Array>;

  /**
   * The whole `pack` file cut into side-band-64k packets of band 1 (65,515 payload bytes behind each `fff0` and band
   * byte, the last one shorter), so that a full clone passes without a look at its bytes. It is taken once: chunk by
   * chunk, as those of `stream`, or with `pipeTo`. Nothing is read before.
   */
  framed(id: PackId): FramedPack;

  /**
   * Removes all files of a pack, whole or unfinished, for this repository. Succeeds if there is nothing. Only for what it
   * has or had: a pack of its manifest, retired or begun. Where forks share keys, one that it never had is another's.
   */
  remove(id: PackId): Promise<void>;

  /**
   * Ids of packs that were reserved before `before` (milliseconds since 1970) and may still have bytes. The caller
   * leaves those alone that its manifest names, and removes the others.
   */
  leftovers(before: number): Promise<readonly PackId[]>;
}

/** The bytes of {@link PackStore.framed}. */
export interface FramedPack extends AsyncIterable<Uint8Array> {
  /**
   * Pipes all of it into `writable` without a step of JavaScript per chunk; absent where the store has no stream of the
   * platform to do that with. `writable` is neither closed nor aborted, also when reading fails: the caller ends the
   * reply. Rejects with {@link StorageError} when reading fails, and with the writable's own error when the reader left,
   * where the platform tells which it was: a native pair of Workers does not, and then it is a `StorageError` too.
   */
  readonly pipeTo?: (writable: WritableStream<Uint8Array>) => Promise<void>;
}

/** A pack on its way in. Nothing of it is visible before {@link PackUpload.complete} resolves. */
export interface PackUpload {
  /**
   * Stores part `index` (from 0; each once, in any order). All parts but the last have {@link PackStore.partSize}
   * bytes. The buffer may be reused once the promise has resolved; several parts may be under way at once.
   */
  write(index: number, part: Uint8Array): Promise<void>;
  /** Makes the pack visible and durable. `size` is the sum of the parts. */
  complete(size: number): Promise<void>;
  /** Drops everything written. Safe to call at any time, also after a failure. */
  abort(): Promise<void>;
}

/** A storage operation failed. The message is for logs; no client sees it. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}
