import { fromByteText, toByteText } from '../bytes/byte-text.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { ArchiveEntry } from './archive-entry.ts';

/**
 * The headers of a tar archive, byte by byte as `git archive` writes them: ustar, with extended headers of pax for what
 * does not fit (decision 0075).
 */

export const tarBlock = 512;
/** An archive is filled up to a multiple of this size. */
export const tarRecord: number = 20 * tarBlock;

const [nameMax, prefixMax, linkMax] = [100, 155, 100];
/** Largest size, and largest time, that eleven octal digits can have. */
const octalMax = 0o77777777777;
const extendedMode = 0o666;

const types = { file: '0', link: '2', folder: '5' } as const;
const [extendedType, globalType] = ['x', 'g'] as const;
/** Modes as Git writes them by default (`tar.umask` 0002). */
const modes = { file: 0o664, link: 0o777, folder: 0o775 } as const;

/** Returns the header of the whole archive, which names its commit. */
export function globalHeader(commit: ObjectId, time: number): Uint8Array {
  const late = time > octalMax ? record('mtime', String(time)) : '';
  return extended('pax_global_header', globalType, `${record('comment', commit)}${late}`, Math.min(time, octalMax));
}

/**
 * Returns the headers of an entry, which are valid until the next ones.
 *
 * @param link the target of a symbolic link.
 * @param time seconds since 1970.
 */
export function entryHeaders(
  entry: Omit<ArchiveEntry, 'content'>,
  link: Uint8Array | undefined,
  time: number,
): readonly Uint8Array[] {
  const { path } = entry;
  const mtime = Math.min(time, octalMax);
  const place = placeOf(path);
  const target = link === undefined ? '' : toByteText(link);
  let records = place === undefined ? record('path', path) : '';
  if (target.length > linkMax) records += record('linkpath', target);
  const size = entry.kind === 'file' ? entry.size : 0;
  if (size > octalMax) records += record('size', String(size));
  const before = records === '' ? [] : [extended(`${entry.hash}.paxheader`, extendedType, records, mtime)];
  const own = headerOf({
    name: place?.name ?? `${entry.hash}.data`,
    prefix: place?.prefix ?? '',
    mode: entry.isExecutable ? modes.folder : modes[entry.kind],
    type: types[entry.kind],
    size: size > octalMax ? 0 : size,
    link: target.length > linkMax ? `see ${entry.hash}.paxheader` : target,
    mtime,
  });
  return [...before, own];
}

/** Splits a path between the two fields of a header; undefined if it does not fit. */
function placeOf(path: string): { readonly name: string; readonly prefix: string } | undefined {
  if (path.length <= nameMax) return { name: path, prefix: '' };
  // The slash behind a folder splits nothing.
  const inner = path.endsWith('/') ? path.length - 1 : path.length;
  const at = path.lastIndexOf('/', Math.min(inner, prefixMax) - 1);
  if (at <= 0 || path.length - at - 1 > nameMax) return undefined;
  return { name: path.slice(at + 1), prefix: path.slice(0, at) };
}

/** A record of an extended header, whose length counts itself. */
function record(keyword: string, value: string): string {
  const rest = keyword.length + value.length + 3;
  let length = rest + 1;
  while (rest + String(length).length > length) length++;
  return `${length} ${keyword}=${value}\n`;
}

function extended(name: string, type: string, records: string, mtime: number): Uint8Array {
  const header = headerOf({ name, prefix: '', mode: extendedMode, type, size: records.length, link: '', mtime });
  const bytes = new Uint8Array(tarBlock * (1 + Math.ceil(records.length / tarBlock)));
  bytes.set(header);
  bytes.set(fromByteText(records), tarBlock);
  return bytes;
}

interface TarFields {
  readonly name: string;
  readonly prefix: string;
  readonly mode: number;
  readonly type: string;
  readonly size: number;
  readonly link: string;
  readonly mtime: number;
}

/** The fields that are the same in all headers: user, group and device. */
const common = new Uint8Array(tarBlock);
put(common, 108, octal(0, 7));
put(common, 116, octal(0, 7));
put(common, 257, 'ustar\x0000');
put(common, 265, 'root');
put(common, 297, 'root');
put(common, 329, octal(0, 7));
put(common, 337, octal(0, 7));
/** While it is summed up, the sum itself counts as eight spaces. */
const commonSum = common.reduce((sum, byte) => sum + byte, 8 * 32);

/** Every header is written here: an array for each would keep the collector busy. */
const header = new Uint8Array(tarBlock);

/** Returns a header, which is valid until the next one. */
function headerOf({ name, prefix, mode, type, size, link, mtime }: TarFields): Uint8Array {
  header.set(common);
  let sum = commonSum + put(header, 0, name) + put(header, 100, octal(mode, 7)) + put(header, 124, octal(size, 11));
  sum += put(header, 136, octal(mtime, 11)) + put(header, 156, type) + put(header, 157, link);
  sum += put(header, 345, prefix);
  put(header, 148, octal(sum, 7));
  return header;
}

/** Writes a byte text. Returns the sum of its bytes. */
function put(target: Uint8Array, at: number, text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    target[at + i] = code;
    sum += code;
  }
  return sum;
}

function octal(number: number, digits: number): string {
  return number.toString(8).padStart(digits, '0');
}
