import { blobKind, type GitObject, type KindNumber } from '../object/kind.ts';
import type { Codec } from '../ports/codec.ts';
import type { Turns } from '../turns.ts';
import { applyDelta, forEachDeltaPart, parseDeltaSizes, type DeltaSizes } from './delta.ts';
import type { DeltaFamilies } from './delta-families.ts';
import { newEntryHeader, parseEntryHeader } from './entry-header.ts';
import type { EntryTables } from './entry-tables.ts';
import { GrowingBuffer } from './growing-buffer.ts';
import { inflateWhole, sharedInflater } from './inflate.ts';
import type { KeptDeltas } from './kept-deltas.ts';
import type { MemoryAccount } from './memory-account.ts';
import { stackBudget } from './memory-plan.ts';
import { headerRoom, type ObjectIntake } from './object-intake.ts';
import { PackError } from './pack-error.ts';
import type { PackReader } from './pack-reader.ts';
import type { PackSource } from './pack-source.ts';

const stackUsually = 1024 * 1024;
const deltaUsually = 64 * 1024;

export interface ResolverParts {
  readonly codec: Codec;
  readonly tables: EntryTables;
  readonly families: DeltaFamilies;
  readonly intake: ObjectIntake;
  readonly deltas: KeptDeltas;
  readonly source: PackSource;
  /** Reads objects that were resolved before. */
  readonly reader: PackReader;
  readonly turns: Turns;
  readonly chainDepthMax: number;
  /** Pays for the stack, where it grows beyond what is planned. */
  readonly stackAccount: MemoryAccount;
  /** Pays for a delta that is inflated whole. */
  readonly deltaAccount: MemoryAccount;
}

/** A base whose deltas are being made. */
interface Frame {
  ordinal: number;
  /** The next of its deltas to be made; -1: none is left. */
  child: number;
  /** Where its body starts on the stack; -1: it was let go. */
  at: number;
  size: number;
  /** Deltas below it. */
  depth: number;
}

/** Why the loop stopped: the bytes of an entry or the body of a base are needed, others must have their turn, or all is done. */
type Stop = 'bytes' | 'body' | 'turn' | 'done';

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
  readonly #delta = new GrowingBuffer(deltaUsually);
  /** Bytes of the entry that the loop stopped for, if they are not where others are. */
  #loaded: Uint8Array | undefined;

  constructor(parts: ResolverParts) {
    this.#parts = parts;
  }

  /**
   * Makes all that descends from a whole object.
   *
   * @throws {PackError} for a delta that is broken (GIT-144), too deep (LIM-062), or makes an object that is refused.
   */
  async resolve(root: number): Promise<void> {
    const { turns } = this.#parts;
    let bytes = this.#peek(root);
    while (bytes === undefined) bytes = (await this.#load(root)) ?? this.#peek(root);
    this.#openRoot(root, bytes);
    for (;;) {
      const stop = this.#run();
      if (stop === 'done') break;
      const frame = this.#top();
      if (stop === 'turn') await turns.pass();
      else if (stop === 'bytes') this.#loaded = await this.#load(frame.child);
      else this.#restore(frame, await this.#parts.reader.read(frame.ordinal));
    }
    if (this.#stack.length <= stackBudget) return;
    this.#stack = new Uint8Array(stackUsually);
    this.#parts.stackAccount.set(stackUsually);
  }

  #run(): Stop {
    const { tables, families, turns } = this.#parts;
    while (this.#depth > 0) {
      const frame = this.#top();
      const child = frame.child;
      if (child < 0) {
        this.#depth--;
        continue;
      }
      if (turns.due(1 + (frame.size >>> 16))) return 'turn';
      if (frame.at < 0) return 'body';
      let bytes: Uint8Array | undefined;
      if ((tables.kept[child] as number) < 0) {
        bytes = this.#loaded ?? this.#peek(child);
        if (bytes === undefined) return 'bytes';
        this.#loaded = undefined;
      }
      frame.child = families.nextSibling[child] as number;
      const at = this.#make(frame, child, bytes);
      const grandchild = families.adopt(child);
      if (grandchild >= 0) this.#descend(frame, child, grandchild, at);
    }
    return 'done';
  }

  #openRoot(root: number, bytes: Uint8Array): void {
    const { tables, families, codec } = this.#parts;
    const size = tables.sizes[root] as number;
    this.#depth = 0;
    const at = this.#room(headerRoom, size);
    parseEntryHeader(bytes, 0, bytes.length, this.#header);
    if (!inflateWhole(sharedInflater(codec), bytes, this.#header.length, this.#stack, at, size)) {
      throw new PackError(`corrupt object at offset ${tables.offsets[root]}`);
    }
    this.#kind = tables.kinds[root] as KindNumber;
    this.#push(root, families.firstChild[root] as number, at, size, 0);
  }

  /** Makes the object of one delta on top of the stack; answers where. */
  #make(frame: Frame, child: number, bytes: Uint8Array | undefined): number {
    const { tables, intake, deltas, chainDepthMax } = this.#parts;
    const deltaSize = tables.sizes[child] as number;
    const place = tables.kept[child] as number;
    let delta: Uint8Array;
    let start = 0;
    if (bytes === undefined) {
      delta = deltas.block(place);
      start = deltas.at(place);
    } else {
      delta = this.#inflateDelta(bytes, deltaSize, child);
    }
    const end = start + deltaSize;
    const sizes = this.#sizes;
    if (!parseDeltaSizes(delta, start, end, sizes) || sizes.base !== frame.size) throw this.#corrupt(child);
    if (frame.depth >= chainDepthMax) throw new PackError('delta chain too deep', 'delta chain too deep');
    if (!intake.accepts(this.#kind, sizes.result)) this.#refuse(frame, child, delta, end);
    const at = this.#room(frame.at + frame.size + headerRoom, sizes.result);
    const stack = this.#stack;
    // Making room may have moved the base.
    const base = frame.at;
    if (!applyDelta(stack, base, base + frame.size, delta, sizes.at, end, stack, at, at + sizes.result)) {
      throw this.#corrupt(child);
    }
    intake.take(child, this.#kind, stack, at, sizes.result);
    return at;
  }

  /** A blob that is too large is named, but not held. */
  #refuse(frame: Frame, child: number, delta: Uint8Array, end: number): void {
    const { intake } = this.#parts;
    const { result, at } = this.#sizes;
    const sha1 = intake.begin(result);
    const base = this.#stack.subarray(frame.at, frame.at + frame.size);
    if (!forEachDeltaPart(base, delta, at, end, result, (part) => sha1.update(part))) throw this.#corrupt(child);
    intake.finish(child, sha1, result);
  }

  #inflateDelta(bytes: Uint8Array, size: number, child: number): Uint8Array {
    this.#delta.shrink();
    this.#parts.deltaAccount.set(size);
    // The first pass has seen that there really are so many bytes.
    this.#delta.fit(size);
    const delta = this.#delta.bytes;
    parseEntryHeader(bytes, 0, bytes.length, this.#header);
    if (!inflateWhole(sharedInflater(this.#parts.codec), bytes, this.#header.length, delta, 0, size)) {
      throw this.#corrupt(child);
    }
    return delta;
  }

  /** The object just made has deltas of its own. */
  #descend(frame: Frame, child: number, grandchild: number, at: number): void {
    const size = this.#parts.tables.sizes[child] as number;
    if (frame.child >= 0) {
      this.#push(child, grandchild, at, size, frame.depth + 1);
      return;
    }
    // The last child takes the place of its base, which is not needed any more.
    this.#stack.copyWithin(frame.at, at, at + size);
    frame.ordinal = child;
    frame.child = grandchild;
    frame.size = size;
    frame.depth++;
  }

  #push(ordinal: number, child: number, at: number, size: number, depth: number): void {
    const frame = (this.#frames[this.#depth] ??= { ordinal, child, at, size, depth });
    frame.ordinal = ordinal;
    frame.child = child;
    frame.at = at;
    frame.size = size;
    frame.depth = depth;
    this.#depth++;
  }

  #top(): Frame {
    return this.#frames[this.#depth - 1] as Frame;
  }

  /** Puts back a body that was let go: the frames below were so too, and it fitted before. */
  #restore(frame: Frame, object: GitObject): void {
    frame.at = headerRoom;
    this.#stack.set(object.body, frame.at);
  }

  /**
   * Room for a body at `at`; answers where it is after all. Above the budget all bodies but the topmost are let go, and
   * that one is moved to the bottom.
   */
  #room(at: number, size: number): number {
    let start = at;
    if (start + size > stackBudget && this.#depth > 0) {
      const top = this.#top();
      for (let i = 0; i < this.#depth - 1; i++) (this.#frames[i] as Frame).at = -1;
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
