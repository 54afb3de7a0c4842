import type { GitObject } from '../object/kind.ts';

/**
 * Reads objects of one pack in full, resolving deltas. Answers at once where all that is needed lies in its caches,
 * since a walk over a history reads thousands of small objects; otherwise with a promise.
 */
export interface ObjectReader {
  /**
   * The object of an ordinal. The body is a view that must not be changed, and is valid until more objects are read:
   * whoever needs it longer copies it. One request reads one object at a time.
   *
   * @throws {PackError} if the stored bytes are not what they were (a fault of the storage, never of a client).
   */
  read(ordinal: number): GitObject | Promise<GitObject>;
}
