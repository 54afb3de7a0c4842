import { commitKind, tagKind, treeKind, type KindNumber } from '../../object/kind.ts';
import { compareObjectIds, objectIdBytes } from '../../object/object-id.ts';
import { CodecError, type Codec, type Inflater, type Sha1 } from '../../ports/codec.ts';
import { cost, type Cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import { deltaSizeMin } from '../delta.ts';
import { entryHeaderMax, newEntryHeader, offsetDelta, parseEntryHeader, referenceDelta } from '../entry-header.ts';
import type { EntryTables } from './entry-tables.ts';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';
import { pieceBytes } from '../inflate.ts';
import type { KeptDeltas } from './kept-deltas.ts';
import type { MemoryAccount } from './memory-account.ts';
import { headerRoom, type ObjectIntake } from './object-intake.ts';
import { PackError } from '../pack-error.ts';
import { ordinalAtOffset } from '../pack-table.ts';
import { packHeaderSize } from '../pack-writer.ts';

/** Blobs larger than this are hashed piece by piece, without holding them. */
const heldBlobMax = 256 * 1024;
const heldUsually = 64 * 1024;
/** Room for pieces of what is not held. */
const pieceSize = 64 * 1024;

export interface ScannerParts {
  readonly codec: Codec;
  readonly tables: EntryTables;
  readonly intake: ObjectIntake;
  readonly deltas: KeptDeltas;
  /** Largest delta that is taken: it must be held in full to be applied. */
  readonly deltaMax: number;
  /** Pays for an object that is held whole. */
  readonly account: MemoryAccount;
  readonly work: Work;
}

type State = 'entry' | 'body' | 'taking' | 'trailer' | 'suspect';

/**
 * The first pass over a pack: splits the entries of a stream, inflates each, takes in the whole objects and notes the
 * deltas. Reads every byte once and keeps none but of the entry at hand. The pack's header is read by the caller.
 *
 * Few bytes may inflate to very many, so it stops by the bytes that were made, wherever it is.
 */
export class PackScanner {
  readonly #parts: ScannerParts;
  readonly #expected: number;
  readonly #inflater: Inflater;
  readonly #sha1: Sha1;
  #state: State;
  /** The chunk that is being fed, and how far it was read. */
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Bytes of the pack before that chunk. */
  #before = packHeaderSize;
  /** True if other work must run. */
  #isDue = false;

  /** Bytes that the running SHA-1 does not cover yet: the last 20 before the chunk may be the trailer. */
  #tail: Uint8Array = new Uint8Array(0);
  /** SHA-1 of all before {@link PackScanner.end}, once that is known. */
  #digest: Uint8Array | undefined;
  readonly #trailer = new Uint8Array(objectIdBytes);
  #trailerLength = 0;
  /** Offset behind the last entry. */
  end: number = packHeaderSize;
  /** Fault of the current entry, unless it turns out to be the trailer. */
  #suspicion: PackError | undefined;

  // The entry at hand.
  readonly #header = newEntryHeader();
  /** Start of a header that was cut by the end of a chunk. */
  readonly #carry = new Uint8Array(2 * entryHeaderMax);
  #carryLength = 0;
  #ordinal = 0;
  #start = packHeaderSize;
  #crc = 0;
  #crcFrom = 0;
  #size = 0;
  #produced = 0;
  /** True if all its bytes go to `#target` from `#targetAt` on; otherwise each piece goes to the start of it. */
  #whole = false;
  #target: Uint8Array;
  #targetAt = 0;
  #hash: Sha1 | undefined;
  /** True if the inflater may produce more from its input. */
  #isFull = false;
  /** The steps in which a large object is taken in. */
  #taking: Generator<void, void, undefined> | undefined;
  readonly #piece = new Uint8Array(pieceSize);
  readonly #held = new GrowingBuffer(heldUsually);

  /** `header`: the pack's first 12 bytes; `count`: the objects it announces. */
  constructor(parts: ScannerParts, header: Uint8Array, count: number) {
    this.#parts = parts;
    this.#expected = count;
    this.#inflater = parts.codec.inflater();
    this.#sha1 = parts.codec.sha1();
    this.#sha1.update(header);
    this.#target = this.#piece;
    this.#state = count === 0 ? 'trailer' : 'entry';
    if (count === 0) this.#digest = this.#sha1.digest();
  }

  /**
   * Takes the next bytes of the pack. False: others must have their turn, then {@link PackScanner.resume} goes on.
   *
   * @throws {PackError} as soon as something is wrong.
   */
  feed(chunk: Uint8Array): boolean {
    this.#chunk = chunk;
    this.#at = 0;
    this.#crcFrom = 0;
    return this.resume();
  }

  /**
   * Goes on with the bytes that were fed. False: as {@link PackScanner.feed}.
   *
   * @throws {PackError} as soon as something is wrong.
   */
  resume(): boolean {
    const chunk = this.#chunk;
    this.#isDue = false;
    while (this.#at < chunk.length || this.#isFull) {
      if (this.#isDue) return false;
      this.#at = this.#step(chunk, this.#at);
    }
    if (this.#state === 'body') this.#crc = this.#crcTo(chunk, chunk.length);
    if (this.#digest === undefined) this.#hashAllBut20(chunk);
    this.#before += chunk.length;
    this.#parts.work.spend(cost.hashed, chunk.length);
    return true;
  }

  #step(chunk: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'entry':
        return this.#readHeader(chunk, at);
      case 'body':
        return this.#inflate(chunk, at);
      case 'taking':
        if (this.#taking?.next().done === true) this.#endEntry(at);
        else this.#isDue = true;
        return at;
      case 'trailer':
        return this.#readTrailer(chunk, at);
      case 'suspect':
        if (this.#before + chunk.length - this.#start > objectIdBytes) throw this.#suspicion as PackError;
        return chunk.length;
    }
  }

  /**
   * The stream has ended. Answers the trailer.
   *
   * @throws {PackError} if the pack had not, or the trailer is wrong (GIT-141, GIT-142, GIT-148).
   */
  finish(): Uint8Array {
    if (this.#state !== 'trailer') {
      // A pack with fewer entries than it announces: what should be the next one is the trailer.
      if (this.#before - this.#start === objectIdBytes && this.#tail.length === objectIdBytes) {
        if (compareObjectIds(this.#sha1.digest(), 0, this.#tail, 0) === 0) throw countMismatch();
      }
      throw this.#suspicion ?? new PackError('truncated pack');
    }
    if (this.#trailerLength < objectIdBytes) throw new PackError('truncated pack');
    if (!this.#trailerFits()) throw new PackError('pack checksum mismatch');
    return this.#trailer;
  }

  close(): void {
    this.#inflater.close();
  }

  #readHeader(chunk: Uint8Array, at: number): number {
    let bytes = chunk;
    if (this.#carryLength > 0 || chunk.length - at < entryHeaderMax) {
      // Near the end of a chunk the header may go on in the next one.
      if (this.#carryLength === 0) this.#start = this.#before + at;
      const taken = Math.min(entryHeaderMax - this.#carryLength, chunk.length - at);
      this.#carry.set(chunk.subarray(at, at + taken), this.#carryLength);
      const outcome = parseEntryHeader(this.#carry, 0, this.#carryLength + taken, this.#header);
      if (outcome === 0) {
        this.#carryLength += taken;
        this.#crc = this.#parts.codec.crc32(chunk.subarray(at, at + taken), this.#crc);
        return at + taken;
      }
      if (outcome < 0) return this.#suspect(chunk);
      bytes = this.#carry;
      this.#crcFrom = at;
      at += this.#header.length - this.#carryLength;
      this.#carryLength = 0;
    } else {
      this.#start = this.#before + at;
      if (parseEntryHeader(chunk, at, chunk.length, this.#header) < 0) return this.#suspect(chunk);
      this.#crcFrom = at;
      at += this.#header.length;
    }
    try {
      this.#begin(bytes);
    } catch (error) {
      if (error instanceof PackError) return this.#suspect(chunk, error);
      throw error;
    }
    this.#state = 'body';
    return at;
  }

  /** Notes the entry and decides where its bytes go. */
  #begin(bytes: Uint8Array): void {
    const { tables, intake, deltas, deltaMax } = this.#parts;
    const { type, size, distance, baseAt } = this.#header;
    const ordinal = tables.add(this.#start, type, size);
    this.#ordinal = ordinal;
    this.#size = size;
    this.#produced = 0;
    this.#hash = undefined;
    this.#whole = false;
    this.#target = this.#piece;
    this.#targetAt = 0;
    this.#inflater.reset();
    if (type === offsetDelta || type === referenceDelta) {
      if (size < deltaSizeMin) throw new PackError(`corrupt delta at offset ${this.#start}`);
      if (size > deltaMax) throw new PackError('not enough memory', 'not enough memory');
      if (type === referenceDelta) {
        for (let i = 0; i < objectIdBytes; i++) tables.oids[ordinal * objectIdBytes + i] = bytes[baseAt + i] as number;
      } else {
        const base = ordinalAtOffset(tables.offsets, ordinal, this.#start - distance);
        if (base < 0) throw new PackError(`corrupt delta at offset ${this.#start}`);
        tables.bases[ordinal] = base;
      }
      const place = deltas.place(size);
      tables.kept[ordinal] = place;
      if (place >= 0) {
        this.#whole = true;
        this.#target = deltas.block(place);
        this.#targetAt = deltas.at(place);
      }
      return;
    }
    const accepted = intake.accepts(type, size);
    if (type === commitKind || type === treeKind || type === tagKind || (accepted && size <= heldBlobMax)) {
      this.#whole = true;
      this.#parts.account.set(size);
      this.#held.grow(0, Math.min(headerRoom + size + 1, heldUsually));
      this.#target = this.#held.bytes;
      this.#targetAt = headerRoom;
    } else {
      this.#hash = intake.begin(size);
    }
  }

  /** Makes up to one piece. */
  #inflate(chunk: Uint8Array, start: number): number {
    const from = this.#whole ? this.#targetAt + this.#produced : 0;
    // One byte more than declared, so that too much shows.
    const left = this.#size + 1 - this.#produced;
    const to = Math.min(from + Math.min(left, pieceBytes), this.#target.length);
    let at = start;
    let produced: number;
    try {
      const step = this.#inflater.step(chunk, at, chunk.length, this.#target, from, to);
      at += step.consumed;
      produced = step.produced;
    } catch (error) {
      if (error instanceof CodecError) return this.#suspect(chunk);
      throw error;
    }
    this.#spend(cost.inflated, produced);
    this.#produced += produced;
    if (this.#produced > this.#size) return this.#suspect(chunk);
    if (this.#before + at - this.#start > entryMax(this.#size)) return this.#suspect(chunk);
    if (this.#hash !== undefined && produced > 0) {
      this.#hash.update(this.#target.subarray(0, produced));
      this.#spend(cost.hashed, produced);
    }
    this.#isFull = from + produced === to;
    if (!this.#isFull) {
      if (at === chunk.length) return at;
      if (this.#produced !== this.#size) return this.#suspect(chunk);
      this.#takeEntry(chunk, at);
    } else if (to === this.#target.length && this.#whole && this.#target === this.#held.bytes) {
      this.#held.grow(headerRoom + this.#produced, headerRoom + this.#size + 1);
      this.#target = this.#held.bytes;
    }
    return at;
  }

  /** The entry at hand is inflated, and ends before `chunk[at]`. */
  #takeEntry(chunk: Uint8Array, at: number): void {
    const { tables, intake } = this.#parts;
    const ordinal = this.#ordinal;
    tables.crcs[ordinal] = this.#crcTo(chunk, at);
    this.#crc = 0;
    this.#crcFrom = at;
    this.#spend(cost.steps, 1);
    if (this.#hash !== undefined) intake.finish(ordinal, this.#hash, this.#size);
    else if (this.#target === this.#held.bytes) {
      const kind = this.#header.type as KindNumber;
      if (this.#size > pieceBytes) {
        this.#taking = intake.takeLarge(ordinal, kind, this.#target, headerRoom, this.#size);
        this.#state = 'taking';
        return;
      }
      intake.take(ordinal, kind, this.#target, headerRoom, this.#size);
    }
    this.#endEntry(at);
  }

  #endEntry(at: number): void {
    if (this.#target === this.#held.bytes) {
      this.#held.shrink();
      this.#parts.account.set(0);
    }
    this.#start = this.#before + at;
    this.end = this.#start;
    if (this.#parts.tables.count < this.#expected) {
      this.#state = 'entry';
      return;
    }
    this.#state = 'trailer';
    this.#hashTo(this.#chunk, at);
    this.#digest = this.#sha1.digest();
  }

  #spend(kind: Cost, amount: number): void {
    if (this.#parts.work.spend(kind, amount)) this.#isDue = true;
  }

  #readTrailer(chunk: Uint8Array, at: number): number {
    if (this.#trailerLength === objectIdBytes) {
      // Were these the trailer's bytes, there would be more than the pack; else more entries than it announces.
      throw this.#trailerFits() ? new PackError('garbage after pack') : countMismatch();
    }
    const taken = Math.min(objectIdBytes - this.#trailerLength, chunk.length - at);
    this.#trailer.set(chunk.subarray(at, at + taken), this.#trailerLength);
    this.#trailerLength += taken;
    return at + taken;
  }

  #trailerFits(): boolean {
    return compareObjectIds(this.#trailer, 0, this.#digest as Uint8Array, 0) === 0;
  }

  /** The entry at hand is wrong, or is the trailer of a pack with fewer entries than announced: 20 bytes, then the end. */
  #suspect(chunk: Uint8Array, error = new PackError(`corrupt object at offset ${this.#start}`)): number {
    this.#suspicion = error;
    this.#isFull = false;
    this.#state = 'suspect';
    if (this.#before + chunk.length - this.#start > objectIdBytes) throw error;
    return chunk.length;
  }

  #crcTo(chunk: Uint8Array, end: number): number {
    return this.#parts.codec.crc32(chunk.subarray(this.#crcFrom, end), this.#crc);
  }

  /** Hashes what lies before `chunk[end]` and is not hashed yet. */
  #hashTo(chunk: Uint8Array, end: number): void {
    this.#sha1.update(this.#tail);
    this.#sha1.update(chunk.subarray(0, end));
    this.#tail = new Uint8Array(0);
  }

  #hashAllBut20(chunk: Uint8Array): void {
    if (chunk.length >= objectIdBytes) {
      const end = chunk.length - objectIdBytes;
      this.#hashTo(chunk, end);
      this.#tail = chunk.slice(end);
      return;
    }
    const joined = new Uint8Array(this.#tail.length + chunk.length);
    joined.set(this.#tail);
    joined.set(chunk, this.#tail.length);
    const end = Math.max(0, joined.length - objectIdBytes);
    this.#sha1.update(joined.subarray(0, end));
    this.#tail = joined.subarray(end);
  }
}

function countMismatch(): PackError {
  return new PackError('object count mismatch');
}

/**
 * Bytes of the longest entry of such a size: no code of a zlib stream takes more than two bytes for each byte that it
 * makes. Empty blocks could make the stream longer without end, and it must be read in full.
 */
function entryMax(size: number): number {
  return 2 * size + 64 * 1024;
}
