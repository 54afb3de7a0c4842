import { objectIdBytes } from '../object/object-id.ts';

/** How an object is stored in a pack: 1 to 4 are the kinds in full (`kindNumber`), 6 and 7 are deltas (gitformat-pack(5)). */
export type EntryType = number;

/** Delta against an entry of the same pack, named by how far back it starts. */
export const offsetDelta = 6;
/** Delta against an object named by its id. */
export const referenceDelta = 7;

/** No entry header is longer: type and size in at most 8 bytes, then at most 20 of a base. */
export const entryHeaderMax = 28;

/** A parsed entry header; filled in again and again by {@link parseEntryHeader}. */
export interface EntryHeader {
  type: EntryType;
  /** Inflated size as declared: of the object, or of the delta itself. */
  size: number;
  /** Offset deltas: how many bytes before this entry the base starts; else 0. */
  distance: number;
  /** Reference deltas: where the base's 20 bytes stand in the parsed bytes; else -1. */
  baseAt: number;
  /** Bytes of the header: its zlib stream follows. */
  length: number;
}

export function newEntryHeader(): EntryHeader {
  return { type: 0, size: 0, distance: 0, baseAt: -1, length: 0 };
}

/** 1: `into` is filled; 0: the header goes on behind `end`; -1: no valid header (GIT-143). */
export type HeaderOutcome = 1 | 0 | -1;

/** Reads the entry header that starts at `start`; sizes and distances of 2^53 and more are invalid. */
export function parseEntryHeader(bytes: Uint8Array, start: number, end: number, into: EntryHeader): HeaderOutcome {
  if (start >= end) return 0;
  let at = start;
  let byte = bytes[at++] as number;
  const type = (byte >> 4) & 7;
  if (type === 0 || type === 5) return -1;
  let size = byte & 15;
  let factor = 16;
  while (byte & 0x80) {
    if (at === end) return 0;
    byte = bytes[at++] as number;
    size += (byte & 0x7f) * factor;
    factor *= 128;
    if (size > Number.MAX_SAFE_INTEGER || at - start > 8) return -1;
  }
  into.type = type;
  into.size = size;
  into.distance = 0;
  into.baseAt = -1;
  if (type === offsetDelta) {
    if (at === end) return 0;
    const from = at;
    byte = bytes[at++] as number;
    let distance = byte & 0x7f;
    while (byte & 0x80) {
      if (at === end) return 0;
      byte = bytes[at++] as number;
      distance = (distance + 1) * 128 + (byte & 0x7f);
      if (distance > Number.MAX_SAFE_INTEGER || at - from > 8) return -1;
    }
    into.distance = distance;
  } else if (type === referenceDelta) {
    if (end - at < objectIdBytes) return 0;
    into.baseAt = at;
    at += objectIdBytes;
  }
  into.length = at - start;
  return 1;
}

/** Writes type and size at `at`; answers where it ends. A reference delta's base id or an offset's distance follows. */
export function writeEntryHeader(target: Uint8Array, at: number, type: EntryType, size: number): number {
  let rest = Math.floor(size / 16);
  let byte = (type << 4) | (size % 16);
  while (rest > 0) {
    target[at++] = byte | 0x80;
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  target[at++] = byte;
  return at;
}

/** Writes how far back an offset delta's base starts; answers where it ends. */
export function writeDistance(target: Uint8Array, at: number, distance: number): number {
  let length = 1;
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor((rest - 1) / 128)) length++;
  let rest = distance;
  for (let i = at + length - 1; i >= at; i--) {
    target[i] = (rest % 128) | (i === at + length - 1 ? 0 : 0x80);
    rest = Math.floor(rest / 128) - 1;
  }
  return at + length;
}
