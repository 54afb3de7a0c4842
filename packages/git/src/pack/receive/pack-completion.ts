import type { GitObject, KindNumber } from '../../object/kind.ts';
import { objectIdBytes } from '../../object/object-id.ts';
import type { Codec } from '../../ports/codec.ts';
import { cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import type { PackStore } from '../../ports/pack-store.ts';
import type { BufferPool } from '../buffer-pool.ts';
import { deflateInTurns } from '../deflate-in-turns.ts';
import { entryHeaderMax, writeEntryHeader } from '../entry-header.ts';
import type { EntryTables } from './entry-tables.ts';
import { pieceBytes } from '../inflate.ts';
import { PackError } from '../pack-error.ts';
import type { PackSource } from '../read/pack-source.ts';
import { PackSpool } from './pack-spool.ts';
import { packHeader, packHeaderSize, PackSum } from '../pack-writer.ts';

/** Git's level for packs; there are few of these bases. */
const level = 6;

/** An entry that may be appended. */
export interface PreparedEntry {
  readonly kind: KindNumber;
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** Entries that are appended to a thin pack, so that it holds all its bases. They stay in memory until it is stored. */
export class PackCompletion {
  readonly #codec: Codec;
  readonly #tables: EntryTables;
  readonly #start: number;
  readonly #budget: number;
  readonly #work: Work;
  readonly #entries: Uint8Array[] = [];
  readonly #starts: number[] = [];
  #end: number;

  /** `start`: where the entries of the pack end; `budget`: bytes that may be appended. */
  constructor(codec: Codec, tables: EntryTables, start: number, budget: number, work: Work) {
    this.#codec = codec;
    this.#tables = tables;
    this.#start = start;
    this.#budget = budget;
    this.#work = work;
    this.#end = start;
  }

  get entries(): readonly Uint8Array[] {
    return this.#entries;
  }

  /** Makes the entry of an object. */
  async prepare({ kind, body }: GitObject): Promise<PreparedEntry> {
    const data: Uint8Array[] = [];
    for await (const part of deflateInTurns(this.#codec, body, level, this.#work)) data.push(part);
    const entry = new Uint8Array(data.reduce((size, part) => size + part.length, entryHeaderMax));
    let end = writeEntryHeader(entry, 0, kind, body.length);
    for (const part of data) {
      entry.set(part, end);
      end += part.length;
    }
    return { kind, size: body.length, bytes: entry.subarray(0, end) };
  }

  /**
   * Appends the entry of an object whose id stands at `at` in `oids`; answers its ordinal.
   *
   * @throws {PackError} when there are more bytes than memory allows.
   */
  append({ kind, size, bytes }: PreparedEntry, oids: Uint8Array, at: number): number {
    const tables = this.#tables;
    if (this.#end - this.#start + bytes.length > this.#budget) {
      throw new PackError('not enough memory', 'not enough memory');
    }
    const ordinal = tables.add(this.#end, kind, size);
    tables.crcs[ordinal] = this.#codec.crc32(bytes);
    for (let i = 0; i < objectIdBytes; i++) tables.oids[ordinal * objectIdBytes + i] = oids[at + i] as number;
    this.#entries.push(bytes);
    this.#starts.push(this.#end);
    this.#end += bytes.length;
    tables.offsets[tables.count] = this.#end;
    return ordinal;
  }

  /** The pack with what was appended. Ranges do not cross entries there. */
  over(source: PackSource): PackSource {
    const appended = (offset: number, length: number): Uint8Array => {
      let number = this.#starts.length - 1;
      while ((this.#starts[number] as number) > offset) number--;
      const at = offset - (this.#starts[number] as number);
      return (this.#entries[number] as Uint8Array).subarray(at, at + length);
    };
    return {
      peek: (offset, length) => (offset < this.#start ? source.peek(offset, length) : appended(offset, length)),
      load: async (offset, length) => (offset < this.#start ? source.load(offset, length) : appended(offset, length)),
    };
  }
}

/** A stored pack's bytes, in chunks, and their trailer. */
export interface CompletedPack {
  readonly chunks: Uint8Array[];
  readonly checksum: Uint8Array;
}

/** A pack in memory, completed: header with version 2 and the new count, the entries, those appended, trailer. */
export async function completeInMemory(
  parts: readonly Uint8Array[],
  end: number,
  completion: PackCompletion,
  count: number,
  codec: Codec,
  work: Work,
): Promise<CompletedPack> {
  const sum = new PackSum(codec);
  const chunks: Uint8Array[] = [];
  let before = 0;
  for (const part of parts) {
    const kept = part.subarray(0, Math.max(0, Math.min(part.length, end - before)));
    before += part.length;
    if (chunks.length === 0) setHeader(kept, count);
    for (let at = 0; at < kept.length; at += pieceBytes) {
      const piece = kept.subarray(at, at + pieceBytes);
      chunks.push(sum.pass(piece));
      if (work.spend(cost.hashed, piece.length)) await work.yield();
    }
  }
  for (const entry of completion.entries) {
    chunks.push(sum.pass(entry));
    if (work.spend(cost.hashed, entry.length)) await work.yield();
  }
  const checksum = sum.trailer();
  chunks.push(checksum);
  return { chunks, checksum };
}

/**
 * The same for a pack that was too large for memory, under a new id: its header, and with it the checksum over
 * everything, is only known now, and what was uploaded cannot be changed. Thin packs of this size are rare: that one
 * is written twice is the price for never holding it. `buffers` of a part each are used for that.
 */
export async function completeInStore(
  store: PackStore,
  thin: PackSpool,
  end: number,
  completion: PackCompletion,
  count: number,
  codec: Codec,
  pool: BufferPool,
  buffers: readonly Uint8Array[],
  work: Work,
): Promise<{ spool: PackSpool; checksum: Uint8Array; buffers: readonly Uint8Array[] }> {
  const spool = new PackSpool(store, pool, buffers);
  spool.parts = thin.parts;
  const sum = new PackSum(codec);
  try {
    const header = new Uint8Array(packHeaderSize);
    let headerLength = 0;
    for await (const chunk of store.stream(thin.id as NonNullable<typeof thin.id>, 0, end)) {
      let rest = chunk;
      if (headerLength < packHeaderSize) {
        const taken = Math.min(packHeaderSize - headerLength, chunk.length);
        header.set(chunk.subarray(0, taken), headerLength);
        headerLength += taken;
        if (headerLength < packHeaderSize) continue;
        setHeader(header, count);
        await spool.append(sum.pass(header));
        rest = chunk.subarray(taken);
      }
      await spool.append(sum.pass(rest));
      if (work.spend(cost.hashed, rest.length)) await work.yield();
    }
    for (const entry of completion.entries) {
      await spool.append(sum.pass(entry));
      if (work.spend(cost.hashed, entry.length)) await work.yield();
    }
    const checksum = sum.trailer();
    await spool.append(checksum);
    return { spool, checksum, buffers: await spool.complete() };
  } catch (error) {
    await spool.discard();
    throw error;
  }
}

/** Sets version 2, since stored packs are sent unchanged (GIT-067); the entries of version 3 are the same. */
function setHeader(header: Uint8Array, count: number): void {
  header.set(packHeader(count));
}
