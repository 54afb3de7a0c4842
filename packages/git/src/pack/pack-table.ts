import { compareObjectIds, objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import type { PackIndex } from './pack-index.ts';
import type { Work } from '../work/scheduler.ts';
import { sortIds } from './sort-ids.ts';

/** The {@link PackIndex} of a pack whose ids are at hand: 28 bytes an object. */
export class PackTable implements PackIndex {
  readonly count: number;
  readonly offsets: Uint32Array | Float64Array;
  /** Ordinals in the order of their ids; the same id twice in the order of the offsets. */
  readonly byId: Uint32Array;
  readonly #oids: Uint8Array;
  /** By first byte of an id: where in `byId` these ids begin, and behind the last one `count`. */
  readonly #fanout = new Uint32Array(257);
  readonly #wanted = new Uint8Array(objectIdBytes);

  /** Makes the table of a pack whose ids are not sorted yet. */
  static async of(oids: Uint8Array, offsets: Uint32Array | Float64Array, work: Work): Promise<PackTable> {
    return new PackTable(oids, offsets, await sortIds(oids, offsets.length - 1, work));
  }

  /**
   * `oids` holds 20 bytes a time by ordinal, `offsets` one number more than there are objects. Both are kept, not
   * copied.
   */
  constructor(oids: Uint8Array, offsets: Uint32Array | Float64Array, byId: Uint32Array) {
    this.count = offsets.length - 1;
    this.offsets = offsets;
    this.#oids = oids;
    this.byId = byId;
    const fanout = this.#fanout;
    for (let i = 0; i < this.count; i++) {
      const first = (oids[i * objectIdBytes] as number) + 1;
      fanout[first] = (fanout[first] as number) + 1;
    }
    for (let i = 1; i < 257; i++) fanout[i] = (fanout[i] as number) + (fanout[i - 1] as number);
  }

  get memory(): number {
    return this.count * (objectIdBytes + this.byId.BYTES_PER_ELEMENT) + this.offsets.byteLength + 2048;
  }

  /** Answers the lowest offset where a pack holds an object twice. */
  find(oids: Uint8Array, at: number): number {
    const first = oids[at] as number;
    let low = this.#fanout[first] as number;
    const end = this.#fanout[first + 1] as number;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = (this.byId[middle] as number) * objectIdBytes;
      if (compareObjectIds(this.#oids, there, oids, at) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === end) return -1;
    const ordinal = this.byId[low] as number;
    return compareObjectIds(this.#oids, ordinal * objectIdBytes, oids, at) === 0 ? ordinal : -1;
  }

  findId(id: ObjectId): number {
    writeObjectId(id, this.#wanted);
    return this.find(this.#wanted, 0);
  }

  copyId(ordinal: number, target: Uint8Array, at: number): void {
    const start = ordinal * objectIdBytes;
    for (let i = 0; i < objectIdBytes; i++) target[at + i] = this.#oids[start + i] as number;
  }

  id(ordinal: number): ObjectId {
    return objectIdAt(this.#oids, ordinal * objectIdBytes);
  }

  /** Ordinal of the entry that starts at `offset`; -1 if none does. */
  atOffset(offset: number): number {
    return ordinalAtOffset(this.offsets, this.count, offset);
  }
}

/** Which of the ascending `offsets[first..count)` is `offset`; -1 if none is. Default of `first`: 0. */
export function ordinalAtOffset(offsets: Uint32Array | Float64Array, count: number, offset: number, first = 0): number {
  let low = first;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low < count && offsets[low] === offset ? low : -1;
}
