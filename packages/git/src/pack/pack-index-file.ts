import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import type { Codec } from '../ports/codec.ts';
import { PackError } from './pack-error.ts';
import type { PackIndex } from './pack-index.ts';
import { PackTable } from './pack-table.ts';

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
 * if it wants to ({@link indexChecksumFits}). The bytes are not kept.
 *
 * @throws {PackError} if it is no valid version 2 index.
 */
export function parsePackIndexFile(bytes: Uint8Array, packSize: number): PackIndexFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
  checkIds(bytes, view, count);

  const byRank = new Float64Array(count);
  for (let rank = 0; rank < count; rank++) {
    let offset = view.getUint32(smallAt + rank * 4);
    if (offset >= largeFlag) {
      const place = offset - largeFlag;
      if (place >= largeCount) throw broken();
      offset = view.getUint32(largeAt + place * 8) * 0x100000000 + view.getUint32(largeAt + place * 8 + 4);
    }
    byRank[rank] = offset;
  }
  const sorted = byRank.slice().sort();
  const end = packSize - objectIdBytes;
  if (count > 0 && ((sorted[0] as number) < 12 || (sorted[count - 1] as number) >= end)) throw broken();
  const offsets = end < 0x100000000 ? new Uint32Array(count + 1) : new Float64Array(count + 1);
  offsets.set(sorted);
  offsets[count] = end;
  for (let i = 1; i < count; i++) if (sorted[i] === sorted[i - 1]) throw broken();

  const oids = new Uint8Array(count * objectIdBytes);
  const crcs = new Uint32Array(count);
  const byId = new Uint32Array(count);
  for (let rank = 0; rank < count; rank++) {
    const ordinal = ordinalIn(sorted, byRank[rank] as number);
    byId[rank] = ordinal;
    crcs[ordinal] = view.getUint32(crcsAt + rank * 4);
    const from = headSize + rank * objectIdBytes;
    for (let i = 0; i < objectIdBytes; i++) oids[ordinal * objectIdBytes + i] = bytes[from + i] as number;
  }
  return {
    index: new PackTable(oids, offsets, byId),
    crcs,
    packChecksum: bytes.slice(trailerAt, trailerAt + objectIdBytes),
  };
}

/** The {@link PackIndex} of an `.idx`, as {@link parsePackIndexFile} reads it. */
export function parsePackIndex(bytes: Uint8Array, packSize: number): PackIndex {
  return parsePackIndexFile(bytes, packSize).index;
}

/** Whether the file's own checksum is right. */
export function indexChecksumFits(bytes: Uint8Array, codec: Codec): boolean {
  const end = bytes.length - objectIdBytes;
  return end >= 0 && compareObjectIds(codec.sha1Of(bytes.subarray(0, end)), 0, bytes, end) === 0;
}

/** Writes the `.idx` of a pack, byte for byte as `git index-pack` does. `oids` and `crcs` are by ordinal. */
export function writePackIndexFile(
  index: PackTable,
  crcs: Uint32Array,
  packChecksum: Uint8Array,
  codec: Codec,
): Uint8Array {
  const { count, offsets, byId } = index;
  let largeCount = 0;
  for (let i = 0; i < count; i++) if ((offsets[i] as number) >= largeFlag) largeCount++;
  const crcsAt = headSize + count * objectIdBytes;
  const smallAt = crcsAt + count * 4;
  const largeAt = smallAt + count * 4;
  const trailerAt = largeAt + largeCount * 8;
  const bytes = new Uint8Array(trailerAt + trailerSize);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature);
  view.setUint32(4, version);
  let large = 0;
  for (let rank = 0; rank < count; rank++) {
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
  for (let first = 1, at = 12; first < 256; first++, at += 4) {
    if (view.getUint32(at) === 0) view.setUint32(at, view.getUint32(at - 4));
  }
  bytes.set(packChecksum, trailerAt);
  bytes.set(codec.sha1Of(bytes.subarray(0, trailerAt + objectIdBytes)), trailerAt + objectIdBytes);
  return bytes;
}

/** Ids ascend and the fanout counts them. */
function checkIds(bytes: Uint8Array, view: DataView, count: number): void {
  let rank = 0;
  for (let first = 0; first < 256; first++) {
    const end = view.getUint32(8 + first * 4);
    if (end < rank || end > count) throw broken();
    for (; rank < end; rank++) {
      const at = headSize + rank * objectIdBytes;
      if (bytes[at] !== first) throw broken();
      if (rank > 0 && compareObjectIds(bytes, at - objectIdBytes, bytes, at) > 0) throw broken();
    }
  }
}

function ordinalIn(sorted: Float64Array, offset: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function broken(): PackError {
  return new PackError('broken pack index');
}
