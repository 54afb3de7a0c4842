import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { fc } from '@fast-check/vitest';
import { kindName, type GitObject, type KindNumber } from '../object/kind.ts';
import { offsetDelta, referenceDelta, writeDistance, writeEntryHeader } from './entry-header.ts';

/** An entry of a pack made by hand. */
export interface MadeEntry {
  /** The object in full. */
  readonly kind: KindNumber;
  readonly body: Uint8Array;
  /** Stored as a delta of that entry, or of that object outside the pack. */
  readonly base?: MadeEntry | GitObject;
  /** How a delta names its base. By offset only after the base. */
  readonly by?: 'offset' | 'id';
  /** Instead of the delta that makes the body. */
  readonly delta?: Uint8Array;
}

export interface MadePack {
  readonly bytes: Buffer;
  /** Start of each entry. */
  readonly offsets: readonly number[];
}

export interface MadePackOptions {
  readonly signature?: string;
  readonly version?: number;
  readonly count?: number;
  readonly trailer?: Uint8Array;
  readonly level?: number;
  /** Changes the header's type and size of entries, or their compressed data. */
  readonly encode?: (entry: MadeEntry, type: number, data: Uint8Array) => Uint8Array | undefined;
}

export function madePack(entries: readonly MadeEntry[], options: MadePackOptions = {}): MadePack {
  const head = Buffer.alloc(12);
  head.write(options.signature ?? 'PACK', 'latin1');
  head.writeUInt32BE(options.version ?? 2, 4);
  head.writeUInt32BE(options.count ?? entries.length, 8);
  const chunks: Uint8Array[] = [head];
  const offsets: number[] = [];
  let at = 12;
  for (const entry of entries) {
    const { base } = entry;
    const data = base === undefined ? entry.body : (entry.delta ?? makeDelta(base.body, entry.body));
    const type = base === undefined ? entry.kind : entry.by === 'offset' ? offsetDelta : referenceDelta;
    const header = Buffer.alloc(40);
    let end = writeEntryHeader(header, 0, type, data.length);
    if (type === offsetDelta)
      end = writeDistance(header, end, at - (offsets[entries.indexOf(base as MadeEntry)] as number));
    if (type === referenceDelta) end += Buffer.from(idOf(base as GitObject), 'hex').copy(header, end);
    const bytes =
      options.encode?.(entry, type, data) ??
      Buffer.concat([header.subarray(0, end), deflateSync(data, { level: options.level ?? 6 })]);
    offsets.push(at);
    chunks.push(bytes);
    at += bytes.length;
  }
  const body = Buffer.concat(chunks);
  return { bytes: Buffer.concat([body, options.trailer ?? createHash('sha1').update(body).digest()]), offsets };
}

/** The id of an object, as text. */
export function idOf(object: GitObject): string {
  return createHash('sha1')
    .update(`${kindName(object.kind)} ${object.body.length}\0`)
    .update(object.body)
    .digest('hex');
}

/** A delta that copies what two bodies share at both ends, and inserts the rest. */
export function makeDelta(base: Uint8Array, result: Uint8Array): Uint8Array {
  const most = Math.min(base.length, result.length);
  let front = 0;
  while (front < most && base[front] === result[front]) front++;
  let back = 0;
  while (back < most - front && base[base.length - 1 - back] === result[result.length - 1 - back]) back++;
  return Uint8Array.from([
    ...varint(base.length),
    ...varint(result.length),
    ...copy(0, front),
    ...insert(result.subarray(front, result.length - back)),
    ...copy(base.length - back, back),
  ]);
}

export function varint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) | 128, ...varint(Math.floor(number / 128))];
}

export function copy(offset: number, length: number): number[] {
  if (length === 0) return [];
  const size = Math.min(length, 0xffff);
  const parts = [offset & 255, (offset >> 8) & 255, (offset >> 16) & 255, offset >>> 24, size & 255, size >> 8];
  const flags = parts.reduce((bits, part, i) => (part === 0 ? bits : bits | (1 << i)), 0x80);
  return [flags, ...parts.filter((part) => part !== 0), ...copy(offset + size, length - size)];
}

export function insert(bytes: Uint8Array): number[] {
  if (bytes.length === 0) return [];
  const piece = bytes.subarray(0, 127);
  return [piece.length, ...piece, ...insert(bytes.subarray(127))];
}

const someBody = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(300)).map(([bytes, times]) => repeated(bytes, times)),
);

function repeated(bytes: Uint8Array, times: number): Uint8Array {
  return new Uint8Array(bytes.length * times).map((_, i) => bytes[i % bytes.length] as number);
}

interface Edit {
  readonly base: number;
  readonly at: number;
  readonly cut: number;
  readonly bytes: Uint8Array;
  readonly by: 'offset' | 'id';
}

const edit: fc.Arbitrary<Edit> = fc.record({
  base: fc.nat(),
  at: fc.nat(),
  cut: fc.nat(40),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 60 }),
  by: fc.constantFrom('offset', 'id'),
});

/**
 * Lists of distinct objects, most of them deltas of earlier ones, also of deltas and of the objects `outside` the
 * pack; some reference deltas stand before their base.
 */
export function someEntries(outside: readonly GitObject[] = []): fc.Arbitrary<MadeEntry[]> {
  const made = fc.tuple(
    fc.array(someBody, { minLength: outside.length === 0 ? 1 : 0, maxLength: 6 }),
    fc.array(edit, { maxLength: 60 }),
    fc.boolean(),
  );
  return made.map(([bodies, edits, shuffled]) => {
    const pool: (MadeEntry | GitObject)[] = [...outside];
    const entries: MadeEntry[] = [];
    const ids = new Set<string>(outside.map(idOf));
    const add = (entry: MadeEntry): void => {
      if (ids.has(idOf(entry))) return;
      ids.add(idOf(entry));
      pool.push(entry);
      // Those that name their base by id may stand anywhere.
      if (shuffled && entry.by === 'id') entries.unshift(entry);
      else entries.push(entry);
    };
    for (const body of bodies) add({ kind: 3, body });
    for (const { base: place, at, cut, bytes, by } of edits) {
      const base = pool[place % pool.length];
      if (base === undefined) continue;
      const start = at % (base.body.length + 1);
      const body = Buffer.concat([base.body.subarray(0, start), bytes, base.body.subarray(start + cut)]);
      const before = entries.includes(base as MadeEntry);
      // Its own place is behind the base, unless the base moved to the front.
      add({ kind: 3, body: Uint8Array.from(body), base, by: before && by === 'offset' ? 'offset' : 'id' });
    }
    return entries;
  });
}
