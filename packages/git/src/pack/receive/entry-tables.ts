import type { KindNumber } from '../../object/kind.ts';
import { objectIdBytes } from '../../object/object-id.ts';

/** Bytes that one object takes in the tables of the indexer, all told: what a pack's header is judged by. */
export const tableBytesPerObject = 60;

/** Outgrown arrays wait for the garbage collector, so they should be small. */
const growth = 4;

/** Makes the memory of tables: shared, if another thread works on them. */
export type Allocate = (bytes: number) => ArrayBufferLike;

/** The tables that {@link EntryTables} consists of. */
export type EntryColumns = Pick<EntryTables, 'offsets' | 'crcs' | 'oids' | 'kinds' | 'sizes' | 'bases' | 'kept'>;

/**
 * Data of each entry for the indexer, by ordinal. Grows with the received entries, since a header's count is only a
 * claim.
 */
export class EntryTables {
  /** Entries known so far. */
  count = 0;
  /** Start of each entry, followed by the end of the last one. */
  offsets: Float64Array = new Float64Array(0);
  /** CRC-32 of the entry's bytes in the pack. */
  crcs: Uint32Array = new Uint32Array(0);
  /** The object's id; a reference delta's base as long as the delta is not resolved. */
  oids: Uint8Array = new Uint8Array(0);
  /** Kind of the object; 6 or 7 as long as a delta is not resolved. */
  kinds: Uint8Array = new Uint8Array(0);
  /** Size of the object; of the delta itself as long as it is not resolved. */
  sizes: Uint32Array = new Uint32Array(0);
  /** Ordinal of the base: -1 for whole objects, and for reference deltas whose base is not known yet. */
  bases: Int32Array = new Int32Array(0);
  /** Position of the delta's bytes among those kept in memory; -1 if not kept. */
  kept: Int32Array = new Int32Array(0);
  /** Size of the largest object or delta that was entered. */
  largest = 0;
  readonly allocate: Allocate;
  readonly #most: number;

  /**
   * There will never be more than `most` entries, unless room is made for more. If that is below `believed`, they get
   * their room at once.
   */
  constructor(most: number, believed: number, allocate: Allocate = (bytes) => new ArrayBuffer(bytes)) {
    this.allocate = allocate;
    this.#most = most + 1;
    this.#resize(this.#most <= believed ? this.#most : Math.ceil(believed / growth));
  }

  /** The tables of another thread: `count` entries, to which none is added. */
  static over(columns: EntryColumns, count: number): EntryTables {
    return Object.assign(new EntryTables(0, 0), columns, { count });
  }

  /** Adds an entry that starts at `offset`; answers its ordinal. */
  add(offset: number, type: number, size: number): number {
    const ordinal = this.count++;
    if (ordinal >= this.kinds.length) this.#resize(Math.max(ordinal + 1, Math.min(this.#most, growth * ordinal)));
    this.offsets[ordinal] = offset;
    this.kinds[ordinal] = type;
    this.sizes[ordinal] = size;
    this.largest = Math.max(this.largest, size);
    this.bases[ordinal] = -1;
    this.kept[ordinal] = -1;
    return ordinal;
  }

  /** Enters the object of an entry, once that is known. */
  enter(ordinal: number, kind: KindNumber, size: number, id: Uint8Array): void {
    this.oids.set(id, ordinal * objectIdBytes);
    this.kinds[ordinal] = kind;
    this.sizes[ordinal] = size;
    this.largest = Math.max(this.largest, size);
  }

  /** Makes room for `count` entries. */
  reserve(count: number): void {
    if (count > this.kinds.length) this.#resize(count);
  }

  #resize(capacity: number): void {
    const { allocate } = this;
    this.offsets = grown(this.offsets, new Float64Array(allocate(8 * capacity)));
    this.crcs = grown(this.crcs, new Uint32Array(allocate(4 * capacity)));
    this.oids = grown(this.oids, new Uint8Array(allocate(objectIdBytes * capacity)));
    this.kinds = grown(this.kinds, new Uint8Array(allocate(capacity)));
    this.sizes = grown(this.sizes, new Uint32Array(allocate(4 * capacity)));
    this.bases = grown(this.bases, new Int32Array(allocate(4 * capacity)));
    this.kept = grown(this.kept, new Int32Array(allocate(4 * capacity)));
  }
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
