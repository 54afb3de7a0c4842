import type { GitObject, KindNumber } from '../object/kind.ts';
import type { Codec } from '../ports/codec.ts';
import type { BodyRing } from './body-ring.ts';
import { applyDelta, parseDeltaSizes, type DeltaSizes } from './delta.ts';
import { entryHeaderMax, newEntryHeader, parseEntryHeader, type EntryHeader } from './entry-header.ts';
import { inflateWhole, sharedInflater } from './inflate.ts';
import type { ObjectReader } from './object-reader.ts';
import { PackError } from './pack-error.ts';
import type { PackSource } from './pack-source.ts';

/** Where an entry's bytes lie that are not at hand. */
interface Missing {
  readonly offset: number;
  readonly length: number;
}

/** An entry of a stored pack: its header, and the place of its zlib stream. Offsets count from the start of the pack. */
export interface StoredEntry {
  /** 1 to 4: the kind; 6 and 7: deltas, see `EntryType`. */
  readonly type: number;
  /** Inflated size: of the object, or of the delta itself. */
  readonly size: number;
  /** Deltas: ordinal of the base; else -1. */
  readonly base: number;
  readonly dataOffset: number;
  /** Where the entry ends: where the next one starts. */
  readonly end: number;
}

/** Ordinal of the base of the delta whose header was parsed from the start of `bytes`; -1 if the pack has none. */
export type BaseFinder = (ordinal: number, header: EntryHeader, bytes: Uint8Array) => number;

/** Deltas that are at hand already, inflated. */
export interface DeltasAtHand {
  /** The delta of an ordinal and the ordinal of its base; undefined if it must be read. */
  find(ordinal: number): { readonly delta: Uint8Array; readonly base: number } | undefined;
}

/**
 * Reads objects from the bytes of a pack. Each delta chain is walked down to a whole object or one that is cached, and
 * then applied upwards, so that memory is bounded by the largest object, not by the chain.
 */
export class PackReader implements ObjectReader {
  readonly #source: PackSource;
  readonly #offsets: Uint32Array | Float64Array;
  readonly #baseOf: BaseFinder;
  readonly #codec: Codec;
  readonly #cache: BodyRing;
  readonly #firstKey: number;
  readonly #atHand: DeltasAtHand | undefined;
  readonly #header = newEntryHeader();
  readonly #sizes: DeltaSizes = { base: 0, result: 0, at: 0 };

  /**
   * `offsets` by ordinal, and behind the last one where the entries end. `cache` keeps what was read lately, under the
   * ordinal plus `firstKey`; several readers of one request may share it.
   */
  constructor(
    source: PackSource,
    offsets: Uint32Array | Float64Array,
    baseOf: BaseFinder,
    codec: Codec,
    cache: BodyRing,
    firstKey = 0,
    atHand?: DeltasAtHand,
  ) {
    this.#source = source;
    this.#offsets = offsets;
    this.#baseOf = baseOf;
    this.#codec = codec;
    this.#cache = cache;
    this.#firstKey = firstKey;
    this.#atHand = atHand;
  }

  read(ordinal: number): GitObject | Promise<GitObject> {
    return this.#run(this.#object(ordinal));
  }

  /**
   * The header of an entry, for whoever copies its bytes raw.
   *
   * @throws {PackError} as `read` does.
   */
  entry(ordinal: number): StoredEntry | Promise<StoredEntry> {
    return this.#run(this.#entry(ordinal));
  }

  /** Takes the steps that need no waiting at once. */
  #run<T>(steps: Generator<Missing, T, Uint8Array>): T | Promise<T> {
    const first = steps.next();
    return first.done === true ? first.value : this.#finish(steps, first.value);
  }

  async #finish<T>(steps: Generator<Missing, T, Uint8Array>, missing: Missing): Promise<T> {
    for (let next = missing; ;) {
      const bytes = (await this.#source.load(next.offset, next.length)) ?? this.#source.peek(next.offset, next.length);
      if (bytes === undefined) continue;
      const step = steps.next(bytes);
      if (step.done === true) return step.value;
      next = step.value;
    }
  }

  *#object(wanted: number): Generator<Missing, GitObject, Uint8Array> {
    const chain: number[] = [];
    let object: GitObject | undefined;
    for (let ordinal = wanted; ;) {
      object = this.#cache.get(this.#firstKey + ordinal);
      if (object !== undefined) break;
      const known = this.#atHand?.find(ordinal);
      if (known !== undefined) {
        chain.push(ordinal);
        ordinal = known.base;
        continue;
      }
      const { type, size, base, dataOffset, end } = yield* this.#entry(ordinal);
      if (base < 0) {
        const data = yield* this.#bytes(dataOffset, end - dataOffset);
        const body = this.#cache.allocate(size);
        if (!inflateWhole(sharedInflater(this.#codec), data, 0, body, 0, size)) throw broken(dataOffset);
        object = { kind: type as KindNumber, body };
        this.#cache.add(this.#firstKey + ordinal, object.kind, body);
        break;
      }
      chain.push(ordinal);
      if (chain.length >= this.#offsets.length) throw broken(dataOffset);
      ordinal = base;
    }
    for (let ordinal = chain.pop(); ordinal !== undefined; ordinal = chain.pop()) {
      const known = this.#atHand?.find(ordinal);
      let body: Uint8Array;
      if (known === undefined) {
        const { size, dataOffset, end } = yield* this.#entry(ordinal);
        const data = yield* this.#bytes(dataOffset, end - dataOffset);
        const delta = deltaScratch(size);
        if (!inflateWhole(sharedInflater(this.#codec), data, 0, delta, 0, size)) throw broken(dataOffset);
        body = this.#apply(object.body, delta, size, dataOffset);
      } else {
        body = this.#apply(object.body, known.delta, known.delta.length, this.#offsets[ordinal] as number);
      }
      object = { kind: object.kind, body };
      this.#cache.add(this.#firstKey + ordinal, object.kind, object.body);
    }
    return object;
  }

  #apply(base: Uint8Array, delta: Uint8Array, size: number, offset: number): Uint8Array {
    const sizes = this.#sizes;
    if (!parseDeltaSizes(delta, 0, size, sizes) || sizes.base !== base.length) throw broken(offset);
    const body = this.#cache.allocate(sizes.result);
    if (!applyDelta(base, 0, base.length, delta, sizes.at, size, body, 0, sizes.result)) throw broken(offset);
    return body;
  }

  *#entry(ordinal: number): Generator<Missing, StoredEntry, Uint8Array> {
    const offset = this.#offsets[ordinal] as number;
    const end = this.#offsets[ordinal + 1] as number;
    const bytes = yield* this.#bytes(offset, Math.min(entryHeaderMax, end - offset));
    const header = this.#header;
    if (parseEntryHeader(bytes, 0, bytes.length, header) !== 1) throw broken(offset);
    const { type, size, length } = header;
    const base = type < 5 ? -1 : this.#baseOf(ordinal, header, bytes);
    if (type > 4 && base < 0) throw broken(offset);
    return { type, size, base, dataOffset: offset + length, end };
  }

  *#bytes(offset: number, length: number): Generator<Missing, Uint8Array, Uint8Array> {
    return this.#source.peek(offset, length) ?? (yield { offset, length });
  }
}

/** Deltas up to this size are inflated to one buffer that all readers use in turn. */
const scratchSize = 256 * 1024;
const scratch = new Uint8Array(scratchSize);

function deltaScratch(size: number): Uint8Array {
  return size <= scratchSize ? scratch : new Uint8Array(size);
}

/** Stored packs were checked when they came in: this is a fault of the storage. */
function broken(offset: number): PackError {
  return new PackError(`stored pack is broken at offset ${offset}`);
}
