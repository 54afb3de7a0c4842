import { compareObjectIds, objectIdBytes } from '../../object/object-id.ts';
import type { EntryTables } from './entry-tables.ts';

/** A group that has found its base. */
const adopted = -2;
const free = -1;

/**
 * Reference deltas whose base is not known yet, in groups by the id of the base. The id stands in the delta's own
 * place in the table, where its id will stand; so a group's first delta must not be resolved before its base is found,
 * which it cannot.
 */
export class WaitingBases {
  readonly #tables: EntryTables;
  readonly #nextSibling: Int32Array;
  /** Open addressing: ordinal of a group's first delta, its lowest. */
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** In a hostile pack, base ids are not hashes, so their slots must be unpredictable. */
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);
  /** Groups without a base. */
  groups = 0;

  /** `count`: how many deltas will be added. `nextSibling` links the deltas of a group. */
  constructor(tables: EntryTables, nextSibling: Int32Array, count: number) {
    this.#tables = tables;
    this.#nextSibling = nextSibling;
    let size = 16;
    while (size < 2 * count) size *= 2;
    this.#slots = new Int32Array(count === 0 ? 1 : size).fill(free);
    this.#mask = this.#slots.length - 1;
  }

  /** Adds a delta; to be called from the highest ordinal to the lowest. */
  add(ordinal: number): void {
    const slot = this.#find(ordinal);
    const first = this.#slots[slot] as number;
    if (first === free) this.groups++;
    this.#nextSibling[ordinal] = first;
    this.#slots[slot] = ordinal;
  }

  /** The first of the deltas that waited for the object of this ordinal, whose id is known now; -1: none. */
  adopt(ordinal: number): number {
    if (this.groups === 0) return -1;
    const slot = this.#find(ordinal);
    const first = this.#slots[slot] as number;
    if (first === free) return -1;
    this.#slots[slot] = adopted;
    this.groups--;
    return first;
  }

  /** Tests if a delta is the first of a group that still waits. */
  isFirst(ordinal: number): boolean {
    return this.#slots[this.#find(ordinal)] === ordinal;
  }

  /** The slot of the group whose base has the id in the place of `ordinal`, or a free one. */
  #find(ordinal: number): number {
    const { oids } = this.#tables;
    const at = ordinal * objectIdBytes;
    let hash = this.#seed;
    for (let i = at; i < at + objectIdBytes; i++) hash = Math.imul(hash ^ (oids[i] as number), 0x01000193);
    hash ^= hash >>> 15;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const first = this.#slots[slot] as number;
      if (first === free) return slot;
      if (first !== adopted && compareObjectIds(oids, first * objectIdBytes, oids, at) === 0) return slot;
    }
  }
}
