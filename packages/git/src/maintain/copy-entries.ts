import { objectIdBytes } from '../object/object-id.ts';
import {
  entryHeaderMax,
  newEntryHeader,
  offsetDelta,
  parseEntryHeader,
  referenceDelta,
  writeDistance,
  writeEntryHeader,
} from '../pack/entry-header.ts';
import { deflateInTurns } from '../pack/deflate-in-turns.ts';
import type { PackGraph } from '../graph/pack-graph.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { StorageError } from '../ports/pack-store.ts';
import type { Reservation } from '../memory/admission.ts';
import { readingMemory, usualReading } from '../memory/reading-memory.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { readWindows, type FilledWindow } from '../upload-pack/send/read-windows.ts';
import type { FoundDeltas } from './find-deltas.ts';
import type { MergePlan } from './merge-plan.ts';
import type { PackSink } from './pack-sink.ts';

/** Positions of the entries in a new pack. */
export interface CopiedEntries {
  /** By ordinal; after the last one, the offset of the end. */
  readonly offsets: Float64Array;
  /** By ordinal: CRC-32 of the entry. */
  readonly crcs: Uint32Array;
}

/** Work for copying one object, as a number of entries. */
const entriesAnObject = 60;

/** Compression level of a delta without its base, or at the end of a chain that is too long: read often, made once. */
const wholeLevel = 6;

/** Maximum growth of an entry when it is copied. */
export const entryGrowthMax: number = entryHeaderMax;

/**
 * Maximum number of bytes from deflating `size` bytes, with the header of an entry: the bound that zlib gives, rounded
 * up.
 */
export function wholeEntryMax(size: number): number {
  return size + Math.ceil(size / 1000) + 64 + entryHeaderMax;
}

/**
 * Memory in bytes, beside what a maintenance has anyway, for writing an entry whole that is a delta: for all objects
 * that it is made of, even if the object itself is small.
 */
export function memoryToMakeWhole(graph: PackGraph, own: number): number {
  const taken = readingMemory(graph, own) + wholeEntryMax(graph.sizes[own] as number);
  return taken > usualReading ? taken : 0;
}

/**
 * Writes the entries of a plan in order. Copies them unchanged, except for new headers of deltas, and for new deltas;
 * inflates only those that lost their base. Makes one pass over the merged packs, in windows.
 */
export function copyEntries(
  view: RepositoryView,
  plan: MergePlan,
  deltas: FoundDeltas,
  sink: PackSink,
  memory: Reservation,
): Promise<CopiedEntries> {
  return new EntryCopier(view, plan, deltas, sink, memory).run();
}

class EntryCopier {
  readonly #view: RepositoryView;
  readonly #plan: MergePlan;
  readonly #deltas: FoundDeltas;
  readonly #sink: PackSink;
  readonly #memory: Reservation;
  readonly #offsets: Float64Array;
  readonly #crcs: Uint32Array;
  readonly #source = newEntryHeader();
  readonly #header = new Uint8Array(entryHeaderMax);

  constructor(view: RepositoryView, plan: MergePlan, deltas: FoundDeltas, sink: PackSink, memory: Reservation) {
    this.#view = view;
    this.#plan = plan;
    this.#deltas = deltas;
    this.#sink = sink;
    this.#memory = memory;
    this.#offsets = new Float64Array(plan.objects.length + 1);
    this.#crcs = new Uint32Array(plan.objects.length);
  }

  async run(): Promise<CopiedEntries> {
    const { work, set } = this.#view;
    const { objects, front } = this.#plan;
    for (let ordinal = 0; ordinal < front; ordinal++) {
      const object = objects[ordinal] as number;
      this.#offsets[ordinal] = this.#sink.size;
      if (!(await this.#found(ordinal))) await this.#whole(ordinal, set.packOfObject(object), object);
      if (work.spend(cost.entries, entriesAnObject)) await work.yield();
    }
    for await (const filled of readWindows(this.#view, objects.subarray(front), this.#view.engine.reads)) {
      for (let rank = filled.window.first; rank <= filled.window.last; rank++) {
        const ordinal = front + rank;
        this.#offsets[ordinal] = this.#sink.size;
        await this.#entry(ordinal, filled);
        if (work.spend(cost.entries, entriesAnObject)) await work.yield();
      }
    }
    this.#offsets[this.#crcs.length] = this.#sink.size;
    return { offsets: this.#offsets, crcs: this.#crcs };
  }

  async #entry(ordinal: number, { window, bytes, rest }: FilledWindow): Promise<void> {
    const { pack, start } = window;
    const own = (this.#plan.objects[ordinal] as number) - pack.objectStart;
    const wasDelta = (pack.graph.bases[own] as number) >= 0;
    const base = this.#plan.bases[ordinal] as number;
    if (wasDelta && base < 0) return this.#whole(ordinal, pack, pack.objectStart + own);
    if (await this.#found(ordinal)) return;
    const at = (pack.graph.offsets[own] as number) - start;
    const end = Math.min((pack.graph.offsets[own + 1] as number) - start, bytes.length);
    let dataAt = at;
    if (wasDelta) {
      parseEntryHeader(bytes, at, Math.min(at + entryHeaderMax, end), this.#source);
      dataAt += this.#source.length;
      await this.#write(ordinal, this.#deltaHeader(ordinal, base, this.#source.size));
    }
    await this.#write(ordinal, bytes.subarray(dataAt, end));
    if (rest !== undefined) for await (const chunk of rest) await this.#write(ordinal, chunk);
  }

  /** Writes the delta that was made for an entry; false without one. */
  async #found(ordinal: number): Promise<boolean> {
    const found = this.#deltas.get(ordinal);
    if (found === undefined) return false;
    await this.#write(ordinal, this.#deltaHeader(ordinal, this.#plan.bases[ordinal] as number, found.size));
    await this.#write(ordinal, found.data);
    return true;
  }

  /** By offset where the base stands in front, which is shorter; else by id. */
  #deltaHeader(ordinal: number, base: number, size: number): Uint8Array {
    const header = this.#header;
    if (base < ordinal) {
      const distance = this.#sink.size - (this.#offsets[base] as number);
      return header.subarray(0, writeDistance(header, writeEntryHeader(header, 0, offsetDelta, size), distance));
    }
    const idAt = writeEntryHeader(header, 0, referenceDelta, size);
    header.set(this.#plan.ids.subarray(base * objectIdBytes, (base + 1) * objectIdBytes), idAt);
    return header.subarray(0, idAt + objectIdBytes);
  }

  /** @throws {NotEnoughMemoryError} for a large object where there is no room at once. */
  async #whole(ordinal: number, pack: SetPack, object: number): Promise<void> {
    const own = object - pack.objectStart;
    const extra = memoryToMakeWhole(pack.graph, own);
    if (extra > 0) this.#memory.grow(extra);
    const { kind, body } = await this.#view.read(object);
    if (body.length !== pack.graph.sizes[own]) throw new StorageError('An object has another size than its graph says');
    const headerEnd = writeEntryHeader(this.#header, 0, kind, body.length);
    await this.#write(ordinal, this.#header.subarray(0, headerEnd));
    for await (const part of deflateInTurns(this.#view.engine.codec, body, wholeLevel, this.#view.work)) {
      await this.#write(ordinal, part);
    }
    if (extra > 0) this.#memory.shrink(extra);
  }

  /** Also counts for the checksum of the pack, which the sink makes. */
  #write(ordinal: number, bytes: Uint8Array): void | Promise<void> {
    const { engine, work } = this.#view;
    this.#crcs[ordinal] = engine.codec.crc32(bytes, this.#crcs[ordinal]);
    const writing = this.#sink.append(bytes);
    if (!work.spend(cost.hashed, 2 * bytes.length)) return writing;
    return Promise.resolve(writing).then(() => work.yield());
  }
}
