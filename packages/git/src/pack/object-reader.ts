import type { GitObject } from '../object/kind.ts';

/**
 * Reads whole objects of one pack, resolving deltas. Returns synchronously if its caches have everything, since a walk
 * over a history reads thousands of small objects; otherwise it returns a promise.
 */
export interface ObjectReader {
  /**
   * Returns the object of an ordinal. The body is a read-only view, valid until further objects are read: copy it to
   * keep it longer. A body above 256 KiB stays as it is, in a buffer of at most 1.25 times its size. One request reads
   * one object at a time.
   *
   * @throws {PackError} if the stored bytes have changed (a fault of the storage, never of a client).
   */
  read(ordinal: number): GitObject | Promise<GitObject>;
}
