import { blobKind, type KindNumber } from '../../object/kind.ts';
import type { Codec, Sha1 } from '../../ports/codec.ts';
import { cost } from '../../work/costs.ts';
import { inTurns } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import { applyDelta, applyDeltaPieces, deltaParts, parseDeltaSizes, type DeltaSizes } from '../delta.ts';
import type { DeltaFamilies } from './delta-families.ts';
import type { LeftFamily } from './receiving-threads.ts';
import { newEntryHeader, parseEntryHeader } from '../entry-header.ts';
import type { EntryTables } from './entry-tables.ts';
import { GrowingBuffer } from '../../bytes/growing-buffer.ts';
import { inflatePieces, inflateWhole, pieceBytes, sharedInflater } from '../inflate.ts';
import type { KeptDeltas } from './kept-deltas.ts';
import type { MemoryAccount } from './memory-account.ts';
import { headerRoom, type ObjectIntake } from './object-intake.ts';
import { limitError, PackError } from '../pack-error.ts';
import type { ObjectReader } from '../object-reader.ts';
import { viewMax, type PackSource } from '../read/pack-source.ts';

const stackUsually = 64 * 1024;
const deltaUsually = 64 * 1024;

export interface ResolverParts {
  readonly codec: Codec;
  readonly tables: EntryTables;
  readonly families: Pick<DeltaFamilies, 'firstChild' | 'nextSibling' | 'adopt'>;
  readonly intake: ObjectIntake;
  readonly deltas: KeptDeltas;
  readonly source: PackSource;
  /** Reads objects that were resolved before. */
  readonly reader: ObjectReader;
  readonly work: Work;
  readonly chainDepthMax: number;
  readonly chainMax: number;
  /** Bytes of bases that are held while their deltas are made; beyond that they are let go and made again. */
  readonly stackBudget: number;
  /** Pays for the stack, where it grows beyond what is planned. */
  readonly stackAccount: MemoryAccount;
  /** Pays for a delta that is inflated whole. */
  readonly deltaAccount: MemoryAccount;
  /** Pays for what an entry that is read whole has beyond its content. */
  readonly entryAccount: MemoryAccount;
  /** Takes families that need more memory than is planned, to be resumed elsewhere. Default: they are made here. */
  readonly leave?: (family: LeftFamily) => void;
}

/** In place of the start of a body: it was on the stack, or it was not yet. */
const released = -1;
const unopened = -2;

/** A base whose deltas are being made. */
interface Frame {
  ordinal: number;
  /** The next of its deltas to be made; -1: none is left. */
  child: number;
  /** Start of its body on the stack, or {@link released}, or {@link unopened}. */
  at: number;
  size: number;
  /** Deltas below it. */
  depth: number;
  /** Bytes that are made to read it: deltas and objects of its chain. */
  chainBytes: number;
}

/** A delta at hand: `bytes[start..end)`. */
interface HeldDelta {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Why the loop stopped: the bytes of an entry or the body of a base are needed, others must have their turn, an object is
 * to be made in pieces, or all is done.
 */
type Stop = 'bytes' | 'body' | 'turn' | 'large' | 'done';

/**
 * The second pass: makes the objects of a family of deltas, depth first from its base, on a stack of bodies that lie
 * behind each other in one buffer. Nothing is allocated for an object that fits.
 */
export class DeltaResolver {
  readonly #parts: ResolverParts;
  #stack = new Uint8Array(stackUsually);
  /** Frames in use are the first `#depth`; the others are kept to be used again. */
  readonly #frames: Frame[] = [];
  #depth = 0;
  #kind: KindNumber = blobKind;
  readonly #header = newEntryHeader();
  readonly #sizes: DeltaSizes = { base: 0, result: 0, at: 0 };
  readonly #held = new GrowingBuffer(deltaUsually);
  /** The delta that the loop stopped at, if it is inflated by then. */
  #atHand: HeldDelta | undefined;
  /** Bytes of the entry that the loop stopped for, if they are not where others are. */
  #loaded: Uint8Array | undefined;

  constructor(parts: ResolverParts) {
    this.#parts = parts;
  }

  /**
   * Makes all that descends from a whole object.
   *
   * @throws {PackError} for a delta that is broken (GIT-144), too deep (LIM-062, LIM-069), or makes an object that is
   * refused.
   */
  async resolve(root: number): Promise<void> {
    const { tables, families, leave } = this.#parts;
    const size = tables.sizes[root] as number;
    const child = families.firstChild[root] as number;
    const family = { ordinal: root, child, size, depth: 0, chainBytes: size };
    if (leave !== undefined && size > pieceBytes) leave(family);
    else await this.#begin(family, unopened);
  }

  /** Does the same for the rest of a family that another resolver left. */
  resume(family: LeftFamily): Promise<void> {
    return this.#begin(family, released);
  }

  async #begin({ ordinal, child, size, depth, chainBytes }: LeftFamily, at: number): Promise<void> {
    this.#depth = 0;
    this.#kind = this.#parts.tables.kinds[ordinal] as KindNumber;
    this.#push(ordinal, child, at, size, depth, chainBytes);
    await this.goOn();
  }

  /**
   * Makes all that is begun. Call it again after a {@link NotEnoughMemoryError}, when there is more.
   */
  async goOn(): Promise<void> {
    const { work, leave } = this.#parts;
    for (;;) {
      const stop = this.#run();
      if (stop === 'done') break;
      const frame = this.#top();
      if (stop === 'turn') await work.yield();
      else if (stop === 'bytes') this.#loaded = await this.#load(frame.child);
      else if (stop === 'large' && leave !== undefined) this.#leave(frame, leave);
      else if (stop === 'large') await this.#makeLarge(frame, frame.child);
      else if (frame.at === unopened) await this.#open(frame);
      else await this.#restore(frame);
    }
    this.#dropLargeStack();
  }

  #leave({ ordinal, child, size, depth, chainBytes }: Frame, leave: (family: LeftFamily) => void): void {
    leave({ ordinal, child, size, depth, chainBytes });
    this.#atHand = undefined;
    this.#depth--;
  }

  #run(): Stop {
    const { work } = this.#parts;
    while (this.#depth > 0) {
      const frame = this.#top();
      const child = frame.child;
      if (child < 0) {
        this.#depth--;
        continue;
      }
      if (work.spend(cost.steps)) return 'turn';
      if (frame.at < 0) return 'body';
      if (this.#isLong(child)) return 'large';
      const delta = this.#delta(child);
      if (delta === undefined) return 'bytes';
      if (this.#isLarge(frame, child, delta)) {
        this.#atHand = delta;
        return 'large';
      }
      this.#make(frame, child, delta);
    }
    return 'done';
  }

  /** Tests if a delta is too long to be inflated in one step. */
  #isLong(child: number): boolean {
    const { tables } = this.#parts;
    return (tables.kept[child] as number) < 0 && (tables.sizes[child] as number) > pieceBytes;
  }

  /** The delta of an entry; undefined if its bytes must be loaded. */
  #delta(child: number): HeldDelta | undefined {
    const { tables, deltas, codec, work } = this.#parts;
    const size = tables.sizes[child] as number;
    const place = tables.kept[child] as number;
    if (place >= 0) {
      const start = deltas.at(place);
      work.spend(cost.parsed, size);
      return { bytes: deltas.block(place), start, end: start + size };
    }
    const entry = this.#loaded ?? this.#peek(child);
    if (entry === undefined) return undefined;
    this.#loaded = undefined;
    const bytes = this.#deltaRoom(size);
    parseEntryHeader(entry, 0, entry.length, this.#header);
    if (!inflateWhole(sharedInflater(codec), entry, this.#header.length, bytes, 0, size)) throw this.#corrupt(child);
    work.spend(cost.inflated, size);
    return { bytes, start: 0, end: size };
  }

  /** A buffer for a delta that is not kept. The first pass has seen that there really are so many bytes. */
  #deltaRoom(size: number): Uint8Array {
    this.#held.shrink();
    this.#parts.deltaAccount.set(size);
    this.#held.fit(size);
    return this.#held.bytes;
  }

  /** Reads the sizes of a delta, and whether its object is to be made in pieces. */
  #isLarge(frame: Frame, child: number, { bytes, start, end }: HeldDelta): boolean {
    const { chainDepthMax, chainMax, intake } = this.#parts;
    const sizes = this.#sizes;
    if (!parseDeltaSizes(bytes, start, end, sizes) || sizes.base !== frame.size) throw this.#corrupt(child);
    const depth = frame.depth + 1;
    if (depth > chainDepthMax) {
      throw limitError('delta chain too deep', `${depth} deltas`, chainDepthMax, 'delta_depth_max');
    }
    const chainBytes = frame.chainBytes + end - start + sizes.result;
    if (chainBytes > chainMax) {
      throw limitError('delta chain too large', `${chainBytes} bytes`, chainMax, 'delta_chain_max');
    }
    return sizes.result > pieceBytes || !intake.accepts(this.#kind, sizes.result);
  }

  /** Makes the object of one delta on top of the stack. */
  #make(frame: Frame, child: number, delta: HeldDelta): void {
    const { intake, work } = this.#parts;
    const { at: first, result } = this.#sizes;
    const at = this.#room(frame.at + frame.size + headerRoom, result);
    const stack = this.#stack;
    // Making room may have moved the base.
    const base = frame.at;
    if (!applyDelta(stack, base, base + frame.size, delta.bytes, first, delta.end, stack, at, at + result)) {
      throw this.#corrupt(child);
    }
    work.spend(cost.rebuilt, result);
    intake.take(child, this.#kind, stack, at, result);
    this.#adopt(frame, child, at, delta);
  }

  /** Does the same in pieces, between which others may have their turn. A blob that is too large is named, but not held. */
  async #makeLarge(frame: Frame, child: number): Promise<void> {
    const { intake, work } = this.#parts;
    const delta = this.#atHand ?? (await this.#longDelta(frame, child));
    this.#atHand = undefined;
    const { at: first, result } = this.#sizes;
    if (!intake.accepts(this.#kind, result)) {
      const base = this.#stack.subarray(frame.at, frame.at + frame.size);
      const sha1 = intake.begin(result);
      const parts = deltaParts(base, delta.bytes, first, delta.end, result);
      const fits = await inTurns(work, cost.rebuilt, hashParts(parts, sha1, work));
      if (!fits) throw this.#corrupt(child);
      intake.finish(child, sha1, result);
      return;
    }
    const at = this.#room(frame.at + frame.size + headerRoom, result);
    const stack = this.#stack;
    const base = frame.at;
    const pieces = applyDeltaPieces(
      stack,
      base,
      base + frame.size,
      delta.bytes,
      first,
      delta.end,
      stack,
      at,
      at + result,
      pieceBytes,
    );
    if (!(await inTurns(work, cost.rebuilt, pieces))) throw this.#corrupt(child);
    for (const _turn of intake.takeLarge(child, this.#kind, stack, at, result)) await work.yield();
    this.#adopt(frame, child, at, delta);
  }

  async #longDelta(frame: Frame, child: number): Promise<HeldDelta> {
    const size = this.#parts.tables.sizes[child] as number;
    const bytes = this.#deltaRoom(size);
    if (!(await this.#inflate(child, bytes, 0, size))) throw this.#corrupt(child);
    const delta = { bytes, start: 0, end: size };
    this.#isLarge(frame, child, delta);
    return delta;
  }

  /** Inflates what an entry holds to `target[at..at + size)`. */
  async #inflate(ordinal: number, target: Uint8Array, at: number, size: number): Promise<boolean> {
    const { tables, entryAccount } = this.#parts;
    entryAccount.set((tables.offsets[ordinal + 1] as number) - (tables.offsets[ordinal] as number) - size);
    try {
      return await this.#inflateEntry(ordinal, target, at, size);
    } finally {
      entryAccount.set(0);
    }
  }

  async #inflateEntry(ordinal: number, target: Uint8Array, at: number, size: number): Promise<boolean> {
    const { codec, work } = this.#parts;
    let entry = this.#peek(ordinal);
    while (entry === undefined) entry = (await this.#load(ordinal)) ?? this.#peek(ordinal);
    parseEntryHeader(entry, 0, entry.length, this.#header);
    const { length } = this.#header;
    if (size <= pieceBytes) {
      work.spend(cost.inflated, size);
      return inflateWhole(sharedInflater(codec), entry, length, target, at, size);
    }
    const own = entry.length <= viewMax ? entry.slice() : entry;
    return inTurns(work, cost.inflated, inflatePieces(codec, own, length, target, at, size));
  }

  /** The object of a delta is made: its own deltas are next. */
  #adopt(frame: Frame, child: number, at: number, { start, end }: HeldDelta): void {
    const { tables, families } = this.#parts;
    frame.child = families.nextSibling[child] as number;
    const grandchild = families.adopt(child);
    if (grandchild < 0) return;
    this.#descend(frame, child, grandchild, at, frame.chainBytes + end - start + (tables.sizes[child] as number));
  }

  /** Continues with the deltas of the new object. */
  #descend(frame: Frame, child: number, grandchild: number, at: number, chainBytes: number): void {
    const size = this.#parts.tables.sizes[child] as number;
    if (frame.child >= 0) {
      this.#push(child, grandchild, at, size, frame.depth + 1, chainBytes);
      return;
    }
    // The last child takes the place of its base, which is not needed any more.
    this.#parts.work.spend(cost.compared, size);
    this.#stack.copyWithin(frame.at, at, at + size);
    frame.ordinal = child;
    frame.child = grandchild;
    frame.size = size;
    frame.depth++;
    frame.chainBytes = chainBytes;
  }

  #push(ordinal: number, child: number, at: number, size: number, depth: number, chainBytes: number): void {
    const frame = (this.#frames[this.#depth] ??= { ordinal, child, at, size, depth, chainBytes });
    frame.ordinal = ordinal;
    frame.child = child;
    frame.at = at;
    frame.size = size;
    frame.depth = depth;
    frame.chainBytes = chainBytes;
    this.#depth++;
  }

  #top(): Frame {
    return this.#frames[this.#depth - 1] as Frame;
  }

  /** Puts the whole object of a family on the stack. */
  async #open(frame: Frame): Promise<void> {
    const { tables } = this.#parts;
    const { ordinal, size } = frame;
    const at = this.#baseRoom(size);
    if (!(await this.#inflate(ordinal, this.#stack, at, size))) {
      throw new PackError(`corrupt object at offset ${tables.offsets[ordinal]}`);
    }
    frame.at = at;
  }

  /** Puts back a body that was let go, as all bodies below it were. */
  async #restore(frame: Frame): Promise<void> {
    this.#dropLargeStack();
    const { body } = await this.#parts.reader.read(frame.ordinal);
    const at = this.#baseRoom(body.length);
    this.#stack.set(body, at);
    frame.at = at;
  }

  /** Lets go of a large stack on which no body is needed. */
  #dropLargeStack(): void {
    if (this.#stack.length <= this.#parts.stackBudget) return;
    this.#stack = new Uint8Array(stackUsually);
    this.#parts.stackAccount.set(stackUsually);
  }

  /** Room for a base at the bottom; with a large one also for an object of its size, so that the stack need not grow. */
  #baseRoom(size: number): number {
    const isLarge = 2 * size > this.#parts.stackBudget;
    return this.#room(headerRoom, isLarge ? 2 * size + headerRoom : size);
  }

  /**
   * Room for a body at `at`; answers where it is after all. Above the budget all bodies but the topmost are let go, and
   * that one is moved to the bottom.
   */
  #room(at: number, size: number): number {
    const { stackBudget } = this.#parts;
    let start = at;
    if (start + size > stackBudget && this.#depth > 0) {
      const top = this.#top();
      for (let i = 0; i < this.#depth - 1; i++) (this.#frames[i] as Frame).at = released;
      if (top.at > headerRoom) {
        this.#stack.copyWithin(headerRoom, top.at, top.at + top.size);
        start -= top.at - headerRoom;
        top.at = headerRoom;
      }
    }
    if (start + size > this.#stack.length) {
      const length = Math.max(start + size, Math.min(2 * this.#stack.length, stackBudget));
      this.#parts.stackAccount.set(length);
      const larger = new Uint8Array(length);
      larger.set(this.#stack.subarray(0, Math.min(start, this.#stack.length)));
      this.#stack = larger;
    }
    return start;
  }

  #peek(ordinal: number): Uint8Array | undefined {
    const { tables, source } = this.#parts;
    const offset = tables.offsets[ordinal] as number;
    return source.peek(offset, (tables.offsets[ordinal + 1] as number) - offset);
  }

  #load(ordinal: number): Promise<Uint8Array | undefined> {
    const { tables, source } = this.#parts;
    const offset = tables.offsets[ordinal] as number;
    return source.load(offset, (tables.offsets[ordinal + 1] as number) - offset);
  }

  #corrupt(ordinal: number): PackError {
    return new PackError(`corrupt delta at offset ${this.#parts.tables.offsets[ordinal]}`);
  }
}

function* hashParts(
  parts: Generator<Uint8Array, boolean, undefined>,
  sha1: Sha1,
  work: Work,
): Generator<number, boolean, undefined> {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    sha1.update(part.value);
    work.spend(cost.hashed, part.value.length);
    yield part.value.length;
  }
}
