import { objectIdBytes } from '../../object/object-id.ts';
import {
  entryHeaderMax,
  newEntryHeader,
  offsetDelta,
  parseEntryHeader,
  referenceDelta,
  writeDistance,
  writeEntryHeader,
} from '../../pack/entry-header.ts';
import type { SetPack } from '../../graph/set-pack.ts';
import type { FetchPlan } from '../plan/fetch-plan.ts';
import { hasBase, rankBefore, type PackForm } from './sent-bases.ts';
import { deflateInTurns } from '../../pack/deflate-in-turns.ts';
import { packHeader, packHeaderSize, PackSum } from '../../pack/pack-writer.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import { cost } from '../../work/costs.ts';
import { rebuiltKey } from '../../engine/engine.ts';
import { concatenate } from '../../bytes/concatenate.ts';
import { GatheredBytes } from './gathered-bytes.ts';
import { readWindows, type FilledWindow } from './read-windows.ts';

/** Entries that an object counts for, and one whose base is looked for. */
const entriesAnObject = 3;
const entriesADelta = 20;

/** Bytes of the largest object whose rebuilt entry is kept for other fetches. */
const rebuiltMax = 1024 * 1024;

/** How whole objects are compressed that no stored entry can be copied for: fast, since they are sent once. */
const sendLevel = 1;

/**
 * Yields the pack of a plan in pieces. Copies stored entries unchanged, and inflates only deltas whose base the client
 * neither has nor gets (GIT-078). A piece is valid until the next one is requested.
 */
export async function* packStream(
  view: RepositoryView,
  plan: FetchPlan,
  form: PackForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  const writer = new PackWriter(view, plan, form);
  yield* writer.pieces();
}

/** Yields only the entries of that pack, which others may follow. */
export function packEntries(
  view: RepositoryView,
  plan: FetchPlan,
  form: PackForm,
): AsyncGenerator<Uint8Array, void, undefined> {
  return new PackWriter(view, plan, form).entries();
}

class PackWriter {
  readonly #view: RepositoryView;
  readonly #plan: FetchPlan;
  readonly #form: PackForm;
  readonly #sum: PackSum;
  readonly #gathered = new GatheredBytes();
  /** Start of the next entry; ahead of the yielded bytes by what is gathered. */
  #offset = packHeaderSize;
  /** By rank in the plan: start of the entry in the sent pack. */
  readonly #sentAt: Float64Array;
  readonly #stored = newEntryHeader();
  readonly #header = new Uint8Array(entryHeaderMax);

  constructor(view: RepositoryView, plan: FetchPlan, form: PackForm) {
    this.#view = view;
    this.#plan = plan;
    this.#form = form;
    this.#sum = new PackSum(view.engine.codec);
    this.#sentAt = new Float64Array(plan.objects.length);
  }

  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    const { work } = this.#view;
    work.spend(cost.hashed, packHeaderSize);
    yield this.#sum.pass(packHeader(this.#plan.objects.length));
    for await (const piece of this.entries()) {
      if (work.spend(cost.hashed, piece.length)) await work.yield();
      yield this.#sum.pass(piece);
    }
    yield this.#sum.trailer();
  }

  async *entries(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const filled of readWindows(this.#view, this.#plan.objects, this.#view.engine.reads)) {
      yield* this.#entries(filled);
    }
    yield this.#gathered.take();
  }

  /**
   * Yields the entries of one window, but keeps the last few bytes. Stretches are copied as they are, between single
   * entries that cannot be. No entry has its own promise or piece.
   */
  async *#entries({ window, bytes, rest }: FilledWindow): AsyncGenerator<Uint8Array, void, undefined> {
    const { pack, first, last, start } = window;
    const { offsets, bases } = pack.graph;
    const { objects } = this.#plan;
    const { work } = this.#view;
    const out = this.#gathered;
    const { sent } = this.#view.engine;
    // The stretch so far, empty after an entry that is not copied.
    let from = 0;
    let to = 0;
    for (let rank = first; rank <= last; rank++) {
      const ordinal = (objects[rank] as number) - pack.objectStart;
      const at = (offsets[ordinal] as number) - start;
      const end = (offsets[ordinal + 1] as number) - start;
      this.#sentAt[rank] = this.#offset;
      const base = bases[ordinal] as number;
      if (work.spend(cost.entries, base < 0 ? entriesAnObject : entriesADelta)) await work.yield();
      if (base < 0 || this.#keepsItsBase(pack, rank, ordinal, base, bytes, at)) {
        if (to !== at) {
          if (!out.add(bytes, from, to)) yield* out.pass(bytes, from, to);
          from = at;
        }
        to = Math.min(end, bytes.length);
        this.#offset += end - at;
        continue;
      }
      if (!out.add(bytes, from, to)) yield* out.pass(bytes, from, to);
      from = to = 0;
      const home = this.#view.set.home(pack, base);
      if (!hasBase(this.#plan, this.#form, rank, home)) {
        const key = rebuiltKey(pack.record.id, ordinal);
        const known = sent.get(key);
        for await (const piece of known === undefined ? this.#rebuild(pack, ordinal, key) : [known]) {
          this.#offset += piece.length;
          if (!out.add(piece, 0, piece.length)) yield* out.pass(piece, 0, piece.length);
        }
        // What has a rest is alone in its window.
        if (rest !== undefined) return;
        continue;
      }
      parseEntryHeader(bytes, at, Math.min(at + entryHeaderMax, bytes.length), this.#stored);
      const dataAt = at + this.#stored.length;
      const distance = this.#distance(rank, home);
      if (distance === undefined) await this.#view.loadIndexes();
      const headerEnd = this.#writeHeader(this.#stored.size, distance, home);
      this.#offset += headerEnd + end - dataAt;
      if (!out.add(this.#header, 0, headerEnd)) yield* out.pass(this.#header, 0, headerEnd);
      const dataEnd = Math.min(end, bytes.length);
      if (!out.add(bytes, dataAt, dataEnd)) yield* out.pass(bytes, dataAt, dataEnd);
    }
    if (!out.add(bytes, from, to)) yield* out.pass(bytes, from, to);
    if (rest === undefined) return;
    yield out.take();
    yield* rest;
  }

  /**
   * Tests if a delta's stored header is still right: its base is sent at the same distance, or referenced by id and
   * sent.
   */
  #keepsItsBase(pack: SetPack, rank: number, ordinal: number, base: number, bytes: Uint8Array, at: number): boolean {
    const { offsets } = pack.graph;
    const baseRank = rankBefore(this.#plan, rank, pack.objectStart + base);
    if (baseRank < 0) return false;
    parseEntryHeader(bytes, at, Math.min(at + entryHeaderMax, bytes.length), this.#stored);
    if (this.#stored.type === referenceDelta) return true;
    if (!this.#form.ofsDelta) return false;
    const distance = (offsets[ordinal] as number) - (offsets[base] as number);
    return this.#offset - (this.#sentAt[baseRank] as number) === distance;
  }

  /** Returns the bytes back to where the base is sent; undefined if the delta must name it by id. */
  #distance(rank: number, base: number): number | undefined {
    const baseRank = this.#form.ofsDelta ? rankBefore(this.#plan, rank, base) : -1;
    return baseRank < 0 ? undefined : this.#offset - (this.#sentAt[baseRank] as number);
  }

  /** Writes the header of a delta with another base, and returns its length. */
  #writeHeader(size: number, distance: number | undefined, base: number): number {
    const header = this.#header;
    if (distance !== undefined) return writeDistance(header, writeEntryHeader(header, 0, offsetDelta, size), distance);
    const idAt = writeEntryHeader(header, 0, referenceDelta, size);
    this.#view.copyObjectId(base, header, idAt);
    return idAt + objectIdBytes;
  }

  /** Yields the entry of an object that is stored as a delta, made whole. Keeps a small one under `key`. */
  async *#rebuild(pack: SetPack, ordinal: number, key: string): AsyncGenerator<Uint8Array, void, undefined> {
    const { engine, work } = this.#view;
    const { kind, body } = await this.#view.read(pack.objectStart + ordinal);
    const headerEnd = writeEntryHeader(this.#header, 0, kind, body.length);
    const parts = deflateInTurns(engine.codec, body, sendLevel, work);
    if (body.length > rebuiltMax) {
      yield this.#header.subarray(0, headerEnd);
      yield* parts;
      return;
    }
    const pieces: Uint8Array[] = [this.#header.subarray(0, headerEnd)];
    for await (const part of parts) pieces.push(part);
    const entry = concatenate(pieces);
    engine.sent.set(key, entry);
    yield entry;
  }
}
