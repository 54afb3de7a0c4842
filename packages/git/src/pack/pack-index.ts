import type { ObjectId } from '../object/object-id.ts';

/**
 * The table of one pack in memory. Objects are named by their **ordinal**: the rank of their entry by offset in the
 * pack, from 0.
 */
export interface PackIndex {
  /** Objects in the pack. */
  readonly count: number;
  /** Offset of each entry by ordinal, ascending, and behind the last one the offset where the entries end. */
  readonly offsets: Uint32Array | Float64Array;
  /** Ordinal of the object whose 20 bytes stand at `at` in `oids`; -1 if it is not here. */
  find(oids: Uint8Array, at: number): number;
  /** Ordinal of an object by the text form of its id; -1 if it is not here. */
  findId(id: ObjectId): number;
  /** Writes the 20 bytes of an ordinal's id into `target` at `at`. */
  copyId(ordinal: number, target: Uint8Array, at: number): void;
  /** The text form of an ordinal's id. */
  id(ordinal: number): ObjectId;
  /** Bytes of memory it holds, for caches. */
  readonly memory: number;
}
