/**
 * Takes packs apart and puts them together again with valid checksums, so that changes inside reach the deeper checks.
 */

import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { NotDone } from '../core/outcome.ts';

/** An entry of a pack with its inflated data. */
export interface TakenEntry {
  /** The type in the header: 1 to 4, 6 and 7; others in deliberately broken packs. */
  readonly type: number;
  /** The base, for type 6. */
  readonly base?: TakenEntry;
  /** The id of the base, for type 7. */
  readonly baseId?: Buffer;
  readonly data: Buffer;
  /** The size that the header declares. Default: the size of the data. */
  readonly told?: number;
}

/** Parses the entries of a pack that stock git wrote. */
export function takePack(pack: Buffer): TakenEntry[] {
  return takePackWithEnd(pack).entries;
}

/**
 * Parses entries, and returns where the last one ends.
 *
 * @throws {NotDone} if an entry does not inflate.
 */
export function takePackWithEnd(pack: Buffer): { entries: TakenEntry[]; end: number } {
  const entries = new Map<number, TakenEntry>();
  const count = pack.readUInt32BE(8);
  let at = 12;
  while (entries.size < count) {
    const start = at;
    let byte = pack[at++] as number;
    const type = (byte >> 4) & 7;
    while (byte & 0x80) byte = pack[at++] as number;
    let link: Pick<TakenEntry, 'base' | 'baseId'> = {};
    if (type === 6) {
      byte = pack[at++] as number;
      let distance = byte & 0x7f;
      while (byte & 0x80) {
        byte = pack[at++] as number;
        distance = (distance + 1) * 128 + (byte & 0x7f);
      }
      link = { base: entries.get(start - distance) as TakenEntry };
    } else if (type === 7) {
      link = { baseId: pack.subarray(at, at + 20) };
      at += 20;
    }
    const { buffer, engine } = inflated(pack.subarray(at));
    at += engine.bytesWritten;
    entries.set(start, { type, ...link, data: buffer });
  }
  return { entries: [...entries.values()], end: at };
}

/** Inflates the first stream of these bytes, and returns how many bytes it used. */
function inflated(bytes: Buffer): { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } } {
  try {
    return inflateSync(bytes, { info: true }) as unknown as ReturnType<typeof inflated>;
  } catch (cause) {
    throw new NotDone('a pack with an entry that does not inflate', { cause });
  }
}

/**
 * Writes a pack of these entries with a valid checksum. If a base does not precede its delta, the distance is invalid.
 */
export function putPack(entries: readonly TakenEntry[], count: number = entries.length): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  header.writeUInt32BE(count, 8);
  const parts: Buffer[] = [header];
  const offsets = new Map<TakenEntry, number>();
  let at = header.length;
  for (const entry of entries) {
    const { type, base, baseId, data, told = data.length } = entry;
    const link =
      type === 6
        ? distanceBytes(at - (offsets.get(base as TakenEntry) ?? -1))
        : type === 7
          ? (baseId as Buffer)
          : Buffer.alloc(0);
    const bytes = Buffer.concat([sizeBytes(type, told), link, deflateSync(data, { level: 1 })]);
    offsets.set(entry, at);
    parts.push(bytes);
    at += bytes.length;
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** Returns true if a pack ends with the checksum of its content. */
export function checksumFits(pack: Buffer): boolean {
  return createHash('sha1').update(pack.subarray(0, -20)).digest().equals(pack.subarray(-20));
}

function sizeBytes(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = ((type & 7) << 4) | (size % 16);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest % 128;
  }
  return Buffer.from([...bytes, byte]);
}

function distanceBytes(distance: number): Buffer {
  const bytes = [distance % 128];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift(128 | (--rest % 128));
  return Buffer.from(bytes);
}
