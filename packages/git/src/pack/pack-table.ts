import { compareObjectIds, objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import type { PackIndex } from './pack-index.ts';
import type { Work } from '../work/scheduler.ts';
import { sortIds } from './sort-ids.ts';

/** Ids that share the bits by which they are found, on average: a search reads few of them, and the fan-out is small. */
const idsAPrefix = 4;

/** The {@link PackIndex} of a pack whose ids are at hand: 29 bytes an object. */
export class PackTable implements PackIndex {
  readonly count: number;
  readonly offsets: Uint32Array | Float64Array;
  /** Ordinals in the order of their ids; the same id twice in the order of the offsets. */
  readonly byId: Uint32Array;
  readonly #oids: Uint8Array;
  /** By the first bits of an id: where in `byId` these ids begin, and behind the last one `count`. */
  readonly #fanout: Uint32Array;
  /** Bits of the first four bytes that the fan-out leaves out. */
  readonly #shift: number;
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
    const bits = Math.max(8, Math.floor(Math.log2(this.count / idsAPrefix)));
    this.#shift = 32 - bits;
    const fanout = (this.#fanout = new Uint32Array(2 ** bits + 1));
    for (let i = 0; i < this.count; i++) {
      const next = this.#prefix(oids, i * objectIdBytes) + 1;
      fanout[next] = (fanout[next] as number) + 1;
    }
    for (let i = 1; i < fanout.length; i++) fanout[i] = (fanout[i] as number) + (fanout[i - 1] as number);
  }

  get memory(): number {
    return (
      this.count * (objectIdBytes + this.byId.BYTES_PER_ELEMENT) +
      this.offsets.byteLength +
      this.#fanout.byteLength +
      1024
    );
  }

  /** Answers the lowest offset where a pack holds an object twice. */
  find(oids: Uint8Array, at: number): number {
    const prefix = this.#prefix(oids, at);
    let low = this.#fanout[prefix] as number;
    const end = this.#fanout[prefix + 1] as number;
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

  #prefix(oids: Uint8Array, at: number): number {
    const first = ((oids[at] as number) << 24) | ((oids[at + 1] as number) << 16) | ((oids[at + 2] as number) << 8);
    return (first | (oids[at + 3] as number)) >>> this.#shift;
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
