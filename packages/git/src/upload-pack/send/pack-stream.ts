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
import { hasBase, rankOf, type PackForm } from './sent-bases.ts';
import { deflateInTurns } from '../../pack/deflate-in-turns.ts';
import { packHeader, packHeaderSize, PackSum } from '../../pack/pack-writer.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import { cost } from '../../work/costs.ts';
import { readWindows, type FilledWindow } from './read-windows.ts';

/** Entries that an object counts for, and one whose base is looked for. */
const entriesAnObject = 3;
const entriesADelta = 20;

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

class PackWriter {
  readonly #view: RepositoryView;
  readonly #plan: FetchPlan;
  readonly #form: PackForm;
  readonly #sum: PackSum;
  /** Start of the next entry; ahead of the yielded bytes while a run is being gathered. */
  #offset = packHeaderSize;
  /** By rank in the plan: start of the entry in the sent pack. */
  readonly #sentAt: Float64Array;
  readonly #header = newEntryHeader();

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
    for await (const filled of readWindows(this.#view, this.#plan.objects, this.#view.engine.reads)) {
      for await (const piece of this.#entries(filled)) {
        if (work.spend(cost.hashed, piece.length)) await work.yield();
        yield this.#sum.pass(piece);
      }
    }
    yield this.#sum.trailer();
  }

  /** The entries of one window: stretches that can be copied as they are, and single ones that cannot. */
  async *#entries({ window, bytes, rest }: FilledWindow): AsyncGenerator<Uint8Array, void, undefined> {
    const { pack, first, last, start } = window;
    const { offsets, bases } = pack.graph;
    const { objects } = this.#plan;
    const { work } = this.#view;
    let copyFrom = -1;
    let copyEnd = 0;
    for (let rank = first; rank <= last; rank++) {
      const ordinal = (objects[rank] as number) - pack.objectStart;
      const at = (offsets[ordinal] as number) - start;
      const end = (offsets[ordinal + 1] as number) - start;
      this.#sentAt[rank] = this.#offset;
      const base = bases[ordinal] as number;
      if (work.spend(cost.entries, base < 0 ? entriesAnObject : entriesADelta)) await work.yield();
      if (base < 0 || this.#keepsItsBase(pack, rank, ordinal, base, bytes, at)) {
        if (copyFrom >= 0 && copyEnd !== at) {
          yield bytes.subarray(copyFrom, copyEnd);
          copyFrom = -1;
        }
        if (copyFrom < 0) copyFrom = at;
        copyEnd = end;
        this.#offset += end - at;
        continue;
      }
      if (copyFrom >= 0) yield bytes.subarray(copyFrom, copyEnd);
      copyFrom = -1;
      const header = await this.#newHeader(pack, rank, ordinal, base, bytes, at);
      if (header === undefined) {
        for await (const piece of this.#whole(pack, ordinal)) {
          this.#offset += piece.length;
          yield piece;
        }
        // What has a rest is alone in its window.
        if (rest !== undefined) return;
        continue;
      }
      this.#offset += header.bytes.length + end - header.dataAt;
      yield header.bytes;
      yield bytes.subarray(header.dataAt, end);
    }
    if (copyFrom >= 0) yield bytes.subarray(copyFrom, copyEnd);
    if (rest !== undefined) yield* rest;
  }

  /**
   * Tests if a delta's stored header is still right: its base is sent at the same distance, or referenced by id and
   * sent.
   */
  #keepsItsBase(pack: SetPack, rank: number, ordinal: number, base: number, bytes: Uint8Array, at: number): boolean {
    const { offsets } = pack.graph;
    const baseRank = rankOf(this.#plan, pack.objectStart + base);
    if (baseRank < 0 || baseRank >= rank) return false;
    parseEntryHeader(bytes, at, Math.min(at + entryHeaderMax, bytes.length), this.#header);
    if (this.#header.type === referenceDelta) return true;
    if (!this.#form.ofsDelta) return false;
    const distance = (offsets[ordinal] as number) - (offsets[base] as number);
    return this.#offset - (this.#sentAt[baseRank] as number) === distance;
  }

  /** The header that a stored delta is sent behind, and where its data is; undefined: the client has no base for it. */
  async #newHeader(
    pack: SetPack,
    rank: number,
    ordinal: number,
    base: number,
    bytes: Uint8Array,
    at: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly dataAt: number } | undefined> {
    const home = this.#view.set.home(pack, base);
    if (!hasBase(this.#plan, this.#form, rank, home)) return undefined;
    const baseRank = rankOf(this.#plan, home);
    const baseSent = baseRank >= 0 && baseRank < rank;
    parseEntryHeader(bytes, at, Math.min(at + entryHeaderMax, bytes.length), this.#header);
    const { size, length } = this.#header;
    const dataAt = at + length;
    const header = new Uint8Array(entryHeaderMax);
    if (baseSent && this.#form.ofsDelta) {
      const sizeEnd = writeEntryHeader(header, 0, offsetDelta, size);
      const headerEnd = writeDistance(header, sizeEnd, this.#offset - (this.#sentAt[baseRank] as number));
      return { bytes: header.subarray(0, headerEnd), dataAt };
    }
    await this.#view.loadIndexes();
    const idAt = writeEntryHeader(header, 0, referenceDelta, size);
    this.#view.copyObjectId(home, header, idAt);
    return { bytes: header.subarray(0, idAt + objectIdBytes), dataAt };
  }

  async *#whole(pack: SetPack, ordinal: number): AsyncGenerator<Uint8Array, void, undefined> {
    const { kind, body } = await this.#view.read(pack.objectStart + ordinal);
    const header = new Uint8Array(entryHeaderMax);
    yield header.subarray(0, writeEntryHeader(header, 0, kind, body.length));
    yield* deflateInTurns(this.#view.engine.codec, body, sendLevel, this.#view.work);
  }
}
