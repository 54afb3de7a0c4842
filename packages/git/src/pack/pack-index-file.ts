import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import type { Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { hashInTurns } from './hash-in-turns.ts';
import { orderOf } from './number-order.ts';
import { PackError } from './pack-error.ts';
import { PackTable } from './pack-table.ts';
import { packHeaderSize } from './pack-writer.ts';

/** The `.idx` file, version 2 (gitformat-pack(5)): signature, fanout, ids, CRC-32s, offsets, checksums. */

const signature = 0xff744f63;
const version = 2;
const headSize = 8 + 256 * 4;
const trailerSize = 40;
/** Set in a 4-byte offset that is a place in the table of 8-byte ones. */
const largeFlag = 0x80000000;

export interface PackIndexFile {
  readonly index: PackTable;
  /** CRC-32 of each entry's stored bytes, by ordinal. */
  readonly crcs: Uint32Array;
  /** The pack's trailer: 20 bytes. */
  readonly packChecksum: Uint8Array;
}

/**
 * Reads an `.idx` of a pack of `packSize` bytes. Everything is checked but its own checksum, which the caller compares
 * if it wants to ({@link indexChecksumFits}). The bytes are not kept. For checks of the whole file; `StoredIndex` opens
 * one faster for reading.
 *
 * @throws {PackError} if it is no valid version 2 index.
 */
export function parsePackIndexFile(bytes: Uint8Array, packSize: number, work: Work): Promise<PackIndexFile> {
  return inTurns(work, cost.entries, decode(bytes, packSize));
}

/** Entries that an object counts for where its id is copied to another order: most of that is waiting for memory. */
const entriesAnObject = 24;

/** Positions of the sections of an `.idx` file. */
export interface IndexSections {
  readonly count: number;
  /** By rank in the order of ids: 20 bytes each. */
  readonly idsAt: number;
  readonly crcsAt: number;
  readonly smallAt: number;
  readonly largeAt: number;
  readonly largeCount: number;
  readonly trailerAt: number;
}

/** Finds the sections of an `.idx`, by its length alone. @throws {PackError} if they do not fit. */
export function indexSections(bytes: Uint8Array, view: DataView): IndexSections {
  if (bytes.length < headSize + trailerSize || view.getUint32(0) !== signature || view.getUint32(4) !== version) {
    throw broken();
  }
  const count = view.getUint32(headSize - 4);
  const crcsAt = headSize + count * objectIdBytes;
  const smallAt = crcsAt + count * 4;
  const largeAt = smallAt + count * 4;
  const trailerAt = bytes.length - trailerSize;
  const largeCount = (trailerAt - largeAt) / 8;
  if (largeCount < 0 || largeCount > count || !Number.isInteger(largeCount)) throw broken();
  return { count, idsAt: headSize, crcsAt, smallAt, largeAt, largeCount, trailerAt };
}

/** Reads the offset of the entry whose id has this rank. @throws {PackError} */
export function offsetOfRank(view: DataView, { smallAt, largeAt, largeCount }: IndexSections, rank: number): number {
  const offset = view.getUint32(smallAt + rank * 4);
  if (offset < largeFlag) return offset;
  const place = offset - largeFlag;
  if (place >= largeCount) throw broken();
  return view.getUint32(largeAt + place * 8) * 0x100000000 + view.getUint32(largeAt + place * 8 + 4);
}

function* decode(bytes: Uint8Array, packSize: number): Steps<PackIndexFile> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sections = indexSections(bytes, view);
  const { count, crcsAt, trailerAt } = sections;
  yield* checkIds(bytes, view, count);

  const end = packSize - objectIdBytes;
  const byRank = new Float64Array(count);
  for (const [from, to] of stretches(count)) {
    for (let rank = from; rank < to; rank++) {
      const offset = offsetOfRank(view, sections, rank);
      if (offset < packHeaderSize || offset >= end) throw broken();
      byRank[rank] = offset;
    }
    yield to - from;
  }
  const order = yield* orderOf(byRank);
  const offsets = end < 0x100000000 ? new Uint32Array(count + 1) : new Float64Array(count + 1);
  const oids = new Uint8Array(count * objectIdBytes);
  const crcs = new Uint32Array(count);
  const byId = new Uint32Array(count);
  for (const [from, to] of stretches(count)) {
    for (let ordinal = from; ordinal < to; ordinal++) {
      const rank = order[ordinal] as number;
      byId[rank] = ordinal;
      offsets[ordinal] = byRank[rank] as number;
      if (ordinal > 0 && offsets[ordinal] === offsets[ordinal - 1]) throw broken();
      crcs[ordinal] = view.getUint32(crcsAt + rank * 4);
      const id = headSize + rank * objectIdBytes;
      for (let i = 0; i < objectIdBytes; i++) oids[ordinal * objectIdBytes + i] = bytes[id + i] as number;
    }
    yield entriesAnObject * (to - from);
  }
  offsets[count] = end;
  return {
    index: new PackTable(oids, offsets, byId),
    crcs,
    packChecksum: bytes.slice(trailerAt, trailerAt + objectIdBytes),
  };
}

/** Tests the file's checksum. */
export async function indexChecksumFits(bytes: Uint8Array, codec: Codec, work: Work): Promise<boolean> {
  const end = bytes.length - objectIdBytes;
  return end >= 0 && compareObjectIds(await hashInTurns(codec, bytes.subarray(0, end), work), 0, bytes, end) === 0;
}

/** Bytes of the `.idx` of a pack with so many objects, `largeCount` of which begin behind 2 GiB. */
function indexFileSize(count: number, largeCount = 0): number {
  return headSize + count * (objectIdBytes + 4 + 4) + largeCount * 8 + trailerSize;
}

/** Writes the `.idx` of a pack, byte for byte as `git index-pack` does. `oids` and `crcs` are by ordinal. */
export async function writePackIndexFile(
  index: PackTable,
  crcs: Uint32Array,
  packChecksum: Uint8Array,
  codec: Codec,
  work: Work,
): Promise<Uint8Array> {
  const bytes = await inTurns(work, cost.entries, encode(index, crcs));
  const trailerAt = bytes.length - trailerSize;
  bytes.set(packChecksum, trailerAt);
  const sum = await hashInTurns(codec, bytes.subarray(0, trailerAt + objectIdBytes), work);
  bytes.set(sum, trailerAt + objectIdBytes);
  return bytes;
}

/** All but the checksums. */
function* encode(index: PackTable, crcs: Uint32Array): Steps<Uint8Array> {
  const { count, offsets, byId } = index;
  let largeCount = 0;
  for (let i = count - 1; i >= 0 && (offsets[i] as number) >= largeFlag; i--) largeCount++;
  const crcsAt = headSize + count * objectIdBytes;
  const smallAt = crcsAt + count * 4;
  const largeAt = smallAt + count * 4;
  const bytes = new Uint8Array(indexFileSize(count, largeCount));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature);
  view.setUint32(4, version);
  let large = 0;
  for (const [from, to] of stretches(count)) {
    for (let rank = from; rank < to; rank++) {
      const ordinal = byId[rank] as number;
      const at = headSize + rank * objectIdBytes;
      index.copyId(ordinal, bytes, at);
      // The entry of a first byte counts all ids up to it: the last writer is right.
      view.setUint32(8 + (bytes[at] as number) * 4, rank + 1);
      view.setUint32(crcsAt + rank * 4, crcs[ordinal] as number);
      const offset = offsets[ordinal] as number;
      if (offset < largeFlag) {
        view.setUint32(smallAt + rank * 4, offset);
      } else {
        view.setUint32(smallAt + rank * 4, largeFlag + large);
        view.setUint32(largeAt + large * 8, Math.floor(offset / 0x100000000));
        view.setUint32(largeAt + large * 8 + 4, offset % 0x100000000);
        large++;
      }
    }
    yield entriesAnObject * (to - from);
  }
  for (let first = 1, at = 12; first < 256; first++, at += 4) {
    if (view.getUint32(at) === 0) view.setUint32(at, view.getUint32(at - 4));
  }
  return bytes;
}

/** Checks that ids ascend and the fanout counts them. @throws {PackError} */
export function* checkIds(bytes: Uint8Array, view: DataView, count: number): Steps<void> {
  let rank = 0;
  for (let first = 0; first < 256; first++) {
    const end = view.getUint32(8 + first * 4);
    if (end < rank || end > count) throw broken();
    const start = rank;
    for (; rank < end; rank++) {
      const at = headSize + rank * objectIdBytes;
      if (bytes[at] !== first) throw broken();
      if (rank > 0 && compareObjectIds(bytes, at - objectIdBytes, bytes, at) > 0) throw broken();
    }
    yield rank - start;
  }
}

function broken(): PackError {
  return new PackError('broken pack index');
}
