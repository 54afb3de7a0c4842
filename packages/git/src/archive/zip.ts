import { concatenate } from '../bytes/concatenate.ts';
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

/** The header before the content of an entry. All entries have the same time, in seconds since 1970. */
export function localHeader(entry: ZipEntry, time: number): Uint8Array {
  const { hasDescriptor, size, compressed, path } = entry;
  const isLarge = size >= max32;
  const known = hasDescriptor ? { ...entry, crc: 0, size: 0, compressed: 0 } : entry;
  const shown = isLarge ? { ...known, size: max32, compressed: max32 } : known;
  const wide = isLarge ? [u16(zip64Id, 16), u64(hasDescriptor ? 0 : size, hasDescriptor ? 0 : compressed)] : [];
  const extra = concatenate([...wide, timestamp(time)]);
  return concatenate([u32(0x04034b50), fields(shown, isLarge, time), u16(path.length, extra.length), path, extra]);
}

/** The record behind the content of an entry that has a descriptor. */
export function descriptor({ crc, compressed, size }: ZipEntry): Uint8Array {
  const sizes = size >= max32 ? u64(compressed, size) : u32(compressed, size);
  return concatenate([u32(0x08074b50, crc), sizes]);
}

/** The header of an entry in the central directory, at the end of the archive. */
export function centralHeader(entry: ZipEntry, time: number): Uint8Array {
  const { kind, isExecutable, path, size, compressed, offset } = entry;
  const isLarge = size >= max32;
  const far = [...(isLarge ? [size, compressed] : []), ...(offset >= max32 ? [offset] : [])];
  const wide = far.length === 0 ? [] : [u16(zip64Id, 8 * far.length), u64(...far)];
  const extra = concatenate([...wide, timestamp(time)]);
  const shown = isLarge ? { ...entry, size: max32, compressed: max32 } : entry;
  const hasMode = kind === 'link' || isExecutable;
  const mode = kind === 'link' ? 0o120777 : 0o100755;
  return concatenate([
    u32(0x02014b50),
    u16(hasMode ? unixCreator : 0),
    fields(shown, far.length > 0, time),
    u16(path.length, extra.length, 0, 0, 0),
    u32(hasMode ? mode * 2 ** 16 : kind === 'folder' ? folderAttribute : 0, Math.min(offset, max32)),
    path,
    extra,
  ]);
}

/** The end of an archive, with a comment. */
export function endRecords(
  { count, size, offset }: { readonly count: number; readonly size: number; readonly offset: number },
  comment: string,
): Uint8Array {
  const few = Math.min(count, max16);
  const isLarge = count >= max16 || size >= max32 || offset >= max32;
  const wide = isLarge
    ? [
        concatenate([u32(0x06064b50), u64(44), u16(zip64Version, zip64Version), u32(0, 0)]),
        concatenate([u64(count, count, size, offset), u32(0x07064b50, 0), u64(offset + size), u32(1)]),
      ]
    : [];
  return concatenate([
    ...wide,
    u32(0x06054b50),
    u16(0, 0, few, few),
    u32(Math.min(size, max32), Math.min(offset, max32)),
    u16(comment.length),
    encodeUtf8(comment),
  ]);
}

/** The part that both headers of an entry have: from the version up to the sizes. */
function fields(entry: ZipEntry, isWide: boolean, time: number): Uint8Array {
  const flags = (entry.hasDescriptor ? descriptorFlag : 0) | (isUnicode(entry.path) ? utf8Flag : 0);
  return concatenate([
    u16(isWide ? zip64Version : usualVersion, flags, entry.isDeflated ? 8 : 0, ...dosTime(time)),
    u32(entry.crc, entry.compressed, entry.size),
  ]);
}

/** Tests if a path must be marked as UTF-8. One that is neither ASCII nor UTF-8 has no mark. */
function isUnicode(path: Uint8Array): boolean {
  return path.some((byte) => byte >= 0x80) && decodeUtf8(path) !== undefined;
}

/** The time as Unix has it, for programs that read it; the fields of DOS have no time zone, and are in UTC. */
function timestamp(time: number): Uint8Array {
  return concatenate([u16(0x5455, 5), Uint8Array.of(1), u32(Math.min(time, 0x7fff_ffff))]);
}

/** Time and date of DOS: seconds in twos, and years from 1980 to 2107. */
function dosTime(time: number): readonly [time: number, date: number] {
  const [first, last] = [315_532_800, 4_354_819_199];
  const date = new Date(1000 * Math.min(Math.max(time, first), last));
  const seconds = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return [seconds, ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()];
}

function u16(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * values.length));
  for (const [i, value] of values.entries()) view.setUint16(2 * i, value, true);
  return new Uint8Array(view.buffer);
}

function u32(...values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value, true);
  return new Uint8Array(view.buffer);
}

function u64(...values: readonly number[]): Uint8Array {
  return u32(...values.flatMap((value) => [value % 2 ** 32, Math.floor(value / 2 ** 32)]));
}
