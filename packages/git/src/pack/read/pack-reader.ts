import type { GitObject, KindNumber } from '../../object/kind.ts';
import type { Codec } from '../../ports/codec.ts';
import { cost, type Cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import type { BodyRing } from '../body-ring.ts';
import { applyDelta, applyDeltaPieces, parseDeltaSizes, type DeltaSizes } from '../delta.ts';
import { entryHeaderMax, newEntryHeader, parseEntryHeader, type EntryHeader } from '../entry-header.ts';
import { inflatePieces, inflateWhole, pieceBytes, sharedInflater } from '../inflate.ts';
import type { ObjectReader } from '../object-reader.ts';
import { PackError } from '../pack-error.ts';
import { viewMax, type PackSource } from './pack-source.ts';

/** Position of an entry's bytes that are not loaded. */
interface Missing {
  readonly offset: number;
  readonly length: number;
}

/** Others must have their turn. */
const turn = 'turn';

/** The steps of a reading: each stops for bytes that must be loaded, or for a turn of others. */
type Steps<T> = Generator<Missing | typeof turn, T, Uint8Array>;

/** An entry of a stored pack: its header, and the place of its zlib stream. Offsets count from the start of the pack. */
export interface StoredEntry {
  /** 1 to 4: the kind; 6 and 7: deltas, see `EntryType`. */
  readonly type: number;
  /** Inflated size: of the object, or of the delta itself. */
  readonly size: number;
  /** Deltas: ordinal of the base; else -1. */
  readonly base: number;
  readonly dataOffset: number;
  /** End of the entry, where the next one starts. */
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
 * then applied upwards, so that memory is bounded by the largest object, not by the chain. It yields between the links of
 * a chain, and within a large object.
 */
export class PackReader implements ObjectReader {
  readonly #source: PackSource;
  readonly #offsets: Uint32Array | Float64Array;
  readonly #baseOf: BaseFinder;
  readonly #codec: Codec;
  readonly #cache: BodyRing;
  readonly #work: Work;
  readonly #firstKey: number;
  readonly #atHand: DeltasAtHand | undefined;
  readonly #header = newEntryHeader();
  readonly #sizes: DeltaSizes = { base: 0, result: 0, at: 0 };

  /**
   * `offsets` by ordinal, and behind the last one where the entries end. `cache` keeps what was read lately, under the
   * ordinal plus `firstKey`; several readers of one request may share it. `work` counts what reading costs.
   */
  constructor(
    source: PackSource,
    offsets: Uint32Array | Float64Array,
    baseOf: BaseFinder,
    codec: Codec,
    cache: BodyRing,
    work: Work,
    firstKey = 0,
    atHand?: DeltasAtHand,
  ) {
    this.#source = source;
    this.#offsets = offsets;
    this.#baseOf = baseOf;
    this.#codec = codec;
    this.#cache = cache;
    this.#work = work;
    this.#firstKey = firstKey;
    this.#atHand = atHand;
  }

  read(ordinal: number): GitObject | Promise<GitObject> {
    return this.#run(this.#object(ordinal));
  }

  /**
   * Returns the header of an entry, for callers that copy its bytes raw.
   *
   * @throws {PackError} like `read`.
   */
  entry(ordinal: number): StoredEntry | Promise<StoredEntry> {
    return this.#run(this.#entry(ordinal));
  }

  /** Takes the steps that need no waiting at once. */
  #run<T>(steps: Steps<T>): T | Promise<T> {
    const first = steps.next();
    return first.done === true ? first.value : this.#finish(steps, first.value);
  }

  async #finish<T>(steps: Steps<T>, stop: Missing | typeof turn): Promise<T> {
    try {
      for (let next = stop; ;) {
        let bytes: Uint8Array | undefined = none;
        if (next === turn) await this.#work.yield();
        else bytes = (await this.#source.load(next.offset, next.length)) ?? this.#source.peek(next.offset, next.length);
        if (bytes === undefined) continue;
        const step = steps.next(bytes);
        if (step.done === true) return step.value;
        next = step.value;
      }
    } finally {
      // Lets go of an inflater if the reading was broken off.
      steps.return(undefined as never);
    }
  }

  *#object(wanted: number): Steps<GitObject> {
    const chain: number[] = [];
    let object: GitObject | undefined;
    for (let ordinal = wanted; ;) {
      object = this.#cache.get(this.#firstKey + ordinal);
      if (object !== undefined) break;
      let base = this.#atHand?.find(ordinal)?.base;
      if (base === undefined) {
        const entry = yield* this.#entry(ordinal);
        if (entry.base < 0) {
          object = yield* this.#whole(ordinal, entry);
          break;
        }
        base = entry.base;
      }
      chain.push(ordinal);
      if (chain.length >= this.#offsets.length) throw broken(this.#offsets[ordinal] as number);
      if (this.#work.spend(cost.steps)) yield turn;
      ordinal = base;
    }
    // Of a chain of large objects, two are held at a time: each lies where the base of its base did.
    let spare: Uint8Array | undefined;
    for (let ordinal = chain.pop(); ordinal !== undefined; ordinal = chain.pop()) {
      if (this.#work.spend(cost.steps)) yield turn;
      const base: GitObject = object;
      object = yield* this.#link(ordinal, base, spare);
      spare = this.#cache.holds(base.body) ? undefined : base.body;
    }
    this.#cache.keepLarge(this.#firstKey + wanted, object);
    return object;
  }

  /** An object that is not stored as a delta. */
  *#whole(ordinal: number, { type, size, dataOffset, end }: StoredEntry): Steps<GitObject> {
    const body = this.#cache.allocate(size);
    yield* this.#inflate(dataOffset, end - dataOffset, body, size);
    this.#cache.add(this.#firstKey + ordinal, type as KindNumber, body);
    return { kind: type as KindNumber, body };
  }

  /** The object that a delta makes of its base. A large one is written over `spare`, if it is about as large. */
  *#link(ordinal: number, base: GitObject, spare: Uint8Array | undefined): Steps<GitObject> {
    const offset = this.#offsets[ordinal] as number;
    let delta = this.#atHand?.find(ordinal)?.delta;
    let size = delta?.length ?? 0;
    if (delta === undefined) {
      const entry = yield* this.#entry(ordinal);
      size = entry.size;
      delta = size <= scratchSize ? scratch : new Uint8Array(size);
      yield* this.#inflate(entry.dataOffset, entry.end - entry.dataOffset, delta, size);
    } else {
      this.#work.spend(cost.parsed, size);
    }
    const sizes = this.#sizes;
    if (!parseDeltaSizes(delta, 0, size, sizes) || sizes.base !== base.body.length) throw broken(offset);
    const { at, result } = sizes;
    const inPieces = Math.max(result, 4 * size) > pieceBytes;
    let body: Uint8Array;
    if (!inPieces && result <= this.#cache.bodyMax) body = this.#cache.allocate(result);
    else if (spare !== undefined && isRoomFor(result, spare)) body = spare.subarray(0, result);
    else body = new Uint8Array(result);
    let fits: boolean;
    if (!inPieces) {
      fits = applyDelta(base.body, 0, base.body.length, delta, at, size, body, 0, result);
      this.#work.spend(cost.rebuilt, result);
    } else {
      const own = delta === scratch ? delta.slice(0, size) : delta;
      const pieces = applyDeltaPieces(base.body, 0, base.body.length, own, at, size, body, 0, result, pieceBytes);
      fits = yield* this.#inPieces(cost.rebuilt, pieces);
    }
    if (!fits) throw broken(offset);
    this.#cache.add(this.#firstKey + ordinal, base.kind, body);
    return { kind: base.kind, body };
  }

  /** Inflates the stream that lies at `offset` to the start of `target`. */
  *#inflate(offset: number, length: number, target: Uint8Array, size: number): Steps<void> {
    const data = yield* this.#bytes(offset, length);
    let fits: boolean;
    if (size <= pieceBytes) {
      fits = inflateWhole(sharedInflater(this.#codec), data, 0, target, 0, size);
      this.#work.spend(cost.inflated, size);
    } else {
      const own = data.length <= viewMax ? data.slice() : data;
      fits = yield* this.#inPieces(cost.inflated, inflatePieces(this.#codec, own, 0, target, 0, size));
    }
    if (!fits) throw broken(offset);
  }

  *#inPieces(kind: Cost, pieces: Generator<number, boolean, undefined>): Steps<boolean> {
    try {
      for (;;) {
        const piece = pieces.next();
        if (piece.done === true) return piece.value;
        if (this.#work.spend(kind, piece.value)) yield turn;
      }
    } finally {
      pieces.return(false);
    }
  }

  *#entry(ordinal: number): Steps<StoredEntry> {
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

  *#bytes(offset: number, length: number): Steps<Uint8Array> {
    return this.#source.peek(offset, length) ?? (yield { offset, length });
  }
}

/** Deltas up to this size are inflated to one buffer that all readers use in turn. */
const scratchSize = 256 * 1024;
const scratch = new Uint8Array(scratchSize);

/** A body has a buffer of at most this many times its size: a cache that keeps the body keeps the buffer. */
const bufferShareMax = 1.25;

function isRoomFor(result: number, spare: Uint8Array): boolean {
  return spare.length >= result && spare.buffer.byteLength <= bufferShareMax * result;
}

/** The answer to a turn. */
const none = new Uint8Array(0);

/** Stored packs were checked when they came in: this is a fault of the storage. */
function broken(offset: number): PackError {
  return new PackError(`stored pack is broken at offset ${offset}`);
}
