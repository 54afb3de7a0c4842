import { compareObjectIds, objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { PackError } from './pack-error.ts';
import type { PackIndex } from './pack-index.ts';
import { checkIds, indexSections, offsetOfRank, type IndexSections } from './pack-index-file.ts';
import { ordinalAtOffset } from './pack-table.ts';

/** Entries that finding the ordinal of an offset counts for. */
const entriesAnOffset = 8;

/** An `.idx` file that is read in place: its bytes, and the rank of each ordinal. Takes 32 bytes an object. */
export class StoredIndex implements PackIndex {
  readonly count: number;
  readonly offsets: Uint32Array | Float64Array;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #sections: IndexSections;
  /** By ordinal: rank of its id. */
  readonly #ranks: Uint32Array;
  readonly #wanted = new Uint8Array(objectIdBytes);

  /**
   * Opens the `.idx` of a pack. `offsets` are those of its entries by ordinal, and behind them their end, as in its
   * graph. Keeps `bytes` and `offsets`.
   *
   * @throws {PackError} if it is no valid version 2 index of these entries. Its checksums are not compared.
   */
  static open(bytes: Uint8Array, offsets: Uint32Array | Float64Array, work: Work): Promise<StoredIndex> {
    return inTurns(work, cost.entries, opened(bytes, offsets));
  }

  constructor(bytes: Uint8Array, sections: IndexSections, offsets: Uint32Array | Float64Array, ranks: Uint32Array) {
    this.count = sections.count;
    this.offsets = offsets;
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#sections = sections;
    this.#ranks = ranks;
  }

  get memory(): number {
    return this.#bytes.length + this.offsets.byteLength + this.#ranks.byteLength + 512;
  }

  find(oids: Uint8Array, at: number): number {
    const { idsAt } = this.#sections;
    const first = oids[at] as number;
    let low = first === 0 ? 0 : this.#view.getUint32(8 + (first - 1) * 4);
    const end = this.#view.getUint32(8 + first * 4);
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareObjectIds(this.#bytes, idsAt + middle * objectIdBytes, oids, at) < 0) low = middle + 1;
      else high = middle;
    }
    if (low === end || compareObjectIds(this.#bytes, idsAt + low * objectIdBytes, oids, at) !== 0) return -1;
    return ordinalAtOffset(this.offsets, this.count, offsetOfRank(this.#view, this.#sections, low));
  }

  findId(id: ObjectId): number {
    writeObjectId(id, this.#wanted);
    return this.find(this.#wanted, 0);
  }

  copyId(ordinal: number, target: Uint8Array, at: number): void {
    const start = this.#idAt(ordinal);
    for (let i = 0; i < objectIdBytes; i++) target[at + i] = this.#bytes[start + i] as number;
  }

  id(ordinal: number): ObjectId {
    return objectIdAt(this.#bytes, this.#idAt(ordinal));
  }

  #idAt(ordinal: number): number {
    return this.#sections.idsAt + (this.#ranks[ordinal] as number) * objectIdBytes;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function* opened(bytes: Uint8Array, offsets: Uint32Array | Float64Array): Steps<StoredIndex> {
  const view = viewOf(bytes);
  const sections = indexSections(bytes, view);
  const { count } = sections;
  if (count !== offsets.length - 1) throw new PackError('broken pack index');
  yield* checkIds(bytes, view, count);
  const find = yield* offsetFinder(offsets);
  const ranks = new Uint32Array(count);
  // Marks ordinals, since two entries of an index may not have one offset.
  const isTaken = new Uint8Array(count);
  for (const [from, to] of stretches(count)) {
    for (let rank = from; rank < to; rank++) {
      const ordinal = find(offsetOfRank(view, sections, rank));
      if (ordinal < 0 || isTaken[ordinal] !== 0) throw new PackError('broken pack index');
      isTaken[ordinal] = 1;
      ranks[ordinal] = rank;
    }
    yield entriesAnOffset * (to - from);
  }
  return new StoredIndex(bytes, sections, offsets, ranks);
}

/**
 * Returns a function that finds the ordinal of an offset, or -1. It searches among the entries of one stretch of the
 * pack, of which there are as many as entries.
 */
function* offsetFinder(offsets: Uint32Array | Float64Array): Steps<(offset: number) => number> {
  const count = offsets.length - 1;
  const end = offsets[count] as number;
  const perByte = count / Math.max(end, 1);
  /** By stretch: its first ordinal; behind the last one, the count. */
  const firsts = new Uint32Array(count + 2);
  for (const [from, to] of stretches(count)) {
    for (let ordinal = from; ordinal < to; ordinal++) {
      const stretch = Math.floor((offsets[ordinal] as number) * perByte) + 1;
      firsts[stretch] = (firsts[stretch] as number) + 1;
    }
    yield to - from;
  }
  for (let stretch = 1; stretch < firsts.length; stretch++) {
    firsts[stretch] = (firsts[stretch] as number) + (firsts[stretch - 1] as number);
  }
  return (offset) => {
    if (!(offset < end)) return -1;
    const stretch = Math.floor(offset * perByte);
    return ordinalAtOffset(offsets, firsts[stretch + 1] as number, offset, firsts[stretch]);
  };
}
