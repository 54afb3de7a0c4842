/**
 * Storage of the packs of one repository: immutable blobs, three per pack, named by a random id.
 *
 * The port matches object storage: keys are never reused, a blob appears as a whole or not at all, parts of an upload
 * have one size, and reads are ranges. Disk and memory can do this easily.
 */

declare const packIdBrand: unique symbol;

/** 32 lower-case hexadecimal digits, not derived from content, so that retries do not collide. */
export type PackId = string & { readonly [packIdBrand]: true };

/** Parses the text form of a pack id; `undefined` for other text, so that it never becomes part of a path or key. */
export function parsePackId(text: string): PackId | undefined {
  return /^[0-9a-f]{32}$/.test(text) ? (text as PackId) : undefined;
}

/**
 * Makes a new id: 12 digits of the time in milliseconds, then 80 cryptographically random bits. With the time in front,
 * the rows of recent packs are neighbours in a database, so that a change of many writes few pages.
 */
export function newPackId(): PackId {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${Date.now().toString(16).padStart(12, '0')}${random}` as PackId;
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
   * Size in bytes of every part of a {@link PackUpload}, except that the last may be smaller. At least 5 MiB on object
   * storage.
   */
  readonly partSize: number;

  /**
   * Returns a new id for a pack that is about to be stored here, and records it durably, so that {@link
   * PackStore.leftovers} finds the bytes of a writer that died. A pack in rows of the state needs none: its id is just
   * {@link newPackId}, and this store never sees it.
   */
  reserve(): Promise<PackId>;

  /**
   * Stores one file of a pack as a whole: durable when resolved, invisible before. Put a file only once. The store does
   * not keep the chunks: the caller may reuse them once the promise has resolved.
   *
   * @throws {StorageError} if it could not be stored; the file is then absent.
   */
  put(id: PackId, file: PackFile, chunks: readonly Uint8Array[]): Promise<void>;

  /** Starts storing the `pack` file of a pack of unknown length in parts. */
  upload(id: PackId): Promise<PackUpload>;

  /**
   * Reads ranges of one file. The results are in the order of the ranges, with exactly their lengths.
   *
   * @throws {StorageError} if the file is absent or ends before a range does.
   */
  read(id: PackId, file: PackFile, ranges: readonly ByteRange[]): Promise<Uint8Array[]>;

  /** Path of the `pack` file, if another thread can open it there. */
  path?(id: PackId): string;

  /**
   * Streams the bytes `start` to `end` (exclusive; default: to the end) of the `pack` file. A chunk is valid until the
   * next one is requested. Returning early closes the file. Throws {@link StorageError} like `read`.
   */
  stream(id: PackId, start?: number, end?: number): AsyncIterable<Uint8Array>;

  /**
   * Returns the whole `pack` file as side-band-64k packets of band 1 (65,515 payload bytes after each `fff0` and band
   * byte, the last packet shorter), so that a full clone passes its bytes on unread. Consume it once: by chunks like
   * those of `stream`, or with `pipeTo`. Reads nothing before that.
   */
  framed(id: PackId): FramedPack;

  /**
   * Removes all files of a pack, complete or unfinished, for this repository. Succeeds if they do not exist. Call it only
   * for a pack of its manifest, retired or begun: if forks share keys, other packs belong to other repositories.
   */
  remove(id: PackId): Promise<void>;

  /**
   * Lists packs that were reserved before `before` (milliseconds since 1970) and may still have bytes. The caller keeps
   * those in its manifest, and removes the others.
   */
  leftovers(before: number): Promise<readonly PackId[]>;
}

/** The bytes of {@link PackStore.framed}. */
export interface FramedPack extends AsyncIterable<Uint8Array> {
  /**
   * Pipes everything into `writable` without JavaScript per chunk; absent if the store has no platform stream for it.
   * Neither closes nor aborts `writable`, even if reading fails: the caller ends the reply. Rejects with {@link
   * StorageError} if reading fails, and with the writable's error if the reader left. A native stream pair of Workers
   * cannot tell these apart; then it is always a `StorageError`.
   */
  readonly pipeTo?: (writable: WritableStream<Uint8Array>) => Promise<void>;
}

/** An upload of a pack. Nothing is visible before {@link PackUpload.complete} resolves. */
export interface PackUpload {
  /**
   * Stores part `index` (from 0; each once, in any order). All parts except the last have {@link PackStore.partSize}
   * bytes. The buffer may be reused once the promise has resolved; several parts may be written concurrently.
   */
  write(index: number, part: Uint8Array): Promise<void>;
  /** Makes the pack visible and durable. `size` is the sum of the parts. */
  complete(size: number): Promise<void>;
  /** Drops all written parts. Safe at any time, even after a failure. */
  abort(): Promise<void>;
}

/** A failed storage operation. The message is for logs; no client sees it. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}
