import { decodeUtf8, encodeUtf8 } from '../bytes/utf8.ts';

/**
 * The records of a zip archive (PKWARE's APPNOTE 4.3), with the values that `git archive` writes. What does not fit into
 * 32 or 16 bits follows in the records of zip64.
 */

export interface ZipEntry {
  readonly path: Uint8Array;
  readonly kind: 'file' | 'link' | 'folder';
  readonly isExecutable: boolean;
  readonly isDeflated: boolean;
  /** True if checksum and compressed size follow the content. */
  readonly hasDescriptor: boolean;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  /** Offset of the entry in the archive. */
  readonly offset: number;
}

const [max16, max32] = [0xffff, 0xffff_ffff];
const [descriptorFlag, utf8Flag] = [8, 0x800];
const [usualVersion, zip64Version, unixCreator] = [10, 45, 0x0317];
const folderAttribute = 16;
const zip64Id = 1;

/** From this size on, a file may take more than 32 bits when it is compressed while its header is written. */
const streamedLarge = 0xff00_0000;

/** The time of all entries of an archive, as their headers have it. */
export interface ZipTime {
  /** Time and date of DOS: seconds in twos, and years from 1980 to 2107. They have no time zone, and are in UTC. */
  readonly dos: readonly [time: number, date: number];
  /** Seconds since 1970, for programs that read them. */
  readonly unix: number;
}

/** @param time seconds since 1970. */
export function zipTime(time: number): ZipTime {
  const [first, last] = [315_532_800, 4_354_819_199];
  const date = new Date(1000 * Math.min(Math.max(time, first), last));
  const seconds = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return { dos: [seconds, day], unix: Math.min(time, 0x7fff_ffff) };
}

/** The header before the content of an entry. */
export function localHeader(entry: ZipEntry, time: ZipTime): Uint8Array {
  const { hasDescriptor, path } = entry;
  const isLarge = isLargeEntry(entry);
  const [size, compressed] = hasDescriptor ? [0, 0] : [entry.size, entry.compressed];
  const extra = timestampLength + (isLarge ? 20 : 0);
  const record = new RecordWriter(30 + path.length + extra).u32(0x04034b50);
  writeFields(record, entry, isLarge, time);
  record.u32(hasDescriptor ? 0 : entry.crc, isLarge ? max32 : compressed, isLarge ? max32 : size);
  record.u16(path.length, extra).bytes(path);
  if (isLarge) record.u16(zip64Id, 16).u64(size, compressed);
  return writeTimestamp(record, time).written;
}

/** The record behind the content of an entry that has a descriptor. */
export function descriptor(entry: ZipEntry): Uint8Array {
  const { crc, compressed, size } = entry;
  const isLarge = isLargeEntry(entry);
  const record = new RecordWriter(isLarge ? 24 : 16).u32(0x08074b50, crc);
  return (isLarge ? record.u64(compressed, size) : record.u32(compressed, size)).written;
}

/** The header of an entry in the central directory, at the end of the archive. */
export function centralHeader(entry: ZipEntry, time: ZipTime): Uint8Array {
  const { kind, isExecutable, path, crc, size, compressed, offset } = entry;
  const isLarge = isLargeEntry(entry);
  const far = [...(isLarge ? [size, compressed] : []), ...(offset >= max32 ? [offset] : [])];
  const extra = timestampLength + (far.length === 0 ? 0 : 4 + 8 * far.length);
  const hasMode = kind === 'link' || isExecutable;
  const mode = kind === 'link' ? 0o120777 : 0o100755;
  const record = new RecordWriter(46 + path.length + extra).u32(0x02014b50).u16(hasMode ? unixCreator : 0);
  writeFields(record, entry, far.length > 0, time);
  record.u32(crc, isLarge ? max32 : compressed, isLarge ? max32 : size);
  record.u16(path.length, extra, 0, 0, 0);
  record.u32(hasMode ? mode * 2 ** 16 : kind === 'folder' ? folderAttribute : 0, Math.min(offset, max32)).bytes(path);
  if (far.length > 0) record.u16(zip64Id, 8 * far.length).u64(...far);
  return writeTimestamp(record, time).written;
}

/** The end of an archive, with a comment. */
export function endRecords(
  { count, size, offset }: { readonly count: number; readonly size: number; readonly offset: number },
  comment: string,
): Uint8Array {
  const few = Math.min(count, max16);
  const isLarge = count >= max16 || size >= max32 || offset >= max32;
  const record = new RecordWriter(22 + (isLarge ? 76 : 0) + comment.length);
  if (isLarge) {
    record.u32(0x06064b50).u64(44).u16(zip64Version, zip64Version).u32(0, 0).u64(count, count, size, offset);
    record
      .u32(0x07064b50, 0)
      .u64(offset + size)
      .u32(1);
  }
  record.u32(0x06054b50).u16(0, 0, few, few).u32(Math.min(size, max32), Math.min(offset, max32));
  return record.u16(comment.length).bytes(encodeUtf8(comment)).written;
}

/** Tests if the sizes of an entry are written with 64 bits. */
function isLargeEntry({ size, hasDescriptor }: ZipEntry): boolean {
  return size >= (hasDescriptor ? streamedLarge : max32);
}

/** Writes what both headers of an entry have before its checksum. */
function writeFields(record: RecordWriter, entry: ZipEntry, isWide: boolean, { dos }: ZipTime): void {
  const flags = (entry.hasDescriptor ? descriptorFlag : 0) | (isUnicode(entry.path) ? utf8Flag : 0);
  record.u16(isWide ? zip64Version : usualVersion, flags, entry.isDeflated ? 8 : 0, ...dos);
}

/** Tests if a path must be marked as UTF-8. One that is neither ASCII nor UTF-8 has no mark. */
function isUnicode(path: Uint8Array): boolean {
  for (const byte of path) if (byte >= 0x80) return decodeUtf8(path) !== undefined;
  return false;
}

const timestampLength = 9;

function writeTimestamp(record: RecordWriter, { unix }: ZipTime): RecordWriter {
  return record.u16(0x5455, 5).u8(1).u32(unix);
}

/** Writes a record of known length, in little-endian numbers. */
class RecordWriter {
  readonly written: Uint8Array;
  #at = 0;

  constructor(length: number) {
    this.written = new Uint8Array(length);
  }

  u8(value: number): this {
    this.written[this.#at++] = value;
    return this;
  }

  u16(...values: readonly number[]): this {
    for (const value of values) this.u8(value).u8(value >>> 8);
    return this;
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.u16(value, value >>> 16);
    return this;
  }

  u64(...values: readonly number[]): this {
    for (const value of values) this.u32(value % 2 ** 32, Math.floor(value / 2 ** 32));
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.written.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }
}
