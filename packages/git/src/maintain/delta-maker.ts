import { concatenate } from '../bytes/concatenate.ts';
import { GrowingBuffer } from '../bytes/growing-buffer.ts';
import type { Reservation } from '../memory/admission.ts';
import { isCostly } from '../memory/costly-objects.ts';
import { deflateInTurns } from '../pack/deflate-in-turns.ts';
import { DeltaEncoder } from '../pack/encode-delta.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { Work } from '../work/scheduler.ts';

/** A delta that waits until its entry is written. Its base is in the plan. */
export interface FoundDelta {
  /** Bytes of the delta before compression. */
  readonly size: number;
  /** The delta, compressed. */
  readonly data: Uint8Array;
}

/** Objects with fewer bytes, and their deltas, are about as long as a header. */
export const deltaSizeLeast = 48;
/** Level at which deltas are compressed: made once, read often. */
const deltaLevel = 6;
/** Bytes of deltas whose memory is taken at once. */
const memoryStep = 1024 * 1024;
/** Bytes of a delta beside its data. */
const deltaOverhead = 200;
/** Part of what a request may take, and bytes, that all deltas of a pack may take. The merge itself needs the rest. */
const memoryShare = 1 / 4;
const memoryMost = 256 * memoryStep;
/** Bytes of the buffer for bases, to begin with. */
const usualBase = 64 * 1024;

/** Makes the deltas of one pack, and takes the memory in which they wait. */
export class DeltaMaker {
  readonly #view: RepositoryView;
  readonly #memory: Reservation;
  readonly #work: Work;
  readonly #encoder = new DeltaEncoder();
  readonly #base = new GrowingBuffer(usualBase);
  #taken = 0;
  #granted = 0;

  constructor(view: RepositoryView, memory: Reservation, work: Work) {
    this.#view = view;
    this.#memory = memory;
    this.#work = work;
  }

  /**
   * Makes an object a delta of another one; undefined if that takes more than `limit` bytes before compression.
   *
   * @throws {NotEnoughMemoryError}
   */
  async make(object: number, baseObject: number, limit: number): Promise<FoundDelta | undefined> {
    const base = await copyBody(this.#view, baseObject, this.#base);
    this.#encoder.setBase(base);
    const { body } = await this.#view.read(object);
    const delta = this.#encoder.encode(body, limit);
    const compared = 25 * (body.length + base.length) + 5 * this.#encoder.compared;
    if (this.#work.spend(cost.compared, compared)) await this.#work.yield();
    if (delta === undefined) return undefined;
    const parts: Uint8Array[] = [];
    for await (const part of deflateInTurns(this.#view.engine.codec, delta, deltaLevel, this.#work)) parts.push(part);
    const data = concatenate(parts);
    this.#take(data.length + deltaOverhead);
    return { size: delta.length, data };
  }

  #take(bytes: number): void {
    this.#taken += bytes;
    const most = Math.min(memoryMost, memoryShare * this.#view.engine.admission.requestMost);
    if (this.#taken > most) throw new NotEnoughMemoryError({ needed: this.#taken, limit: most, setting: 'memory_max' });
    while (this.#taken > this.#granted) {
      this.#memory.grow(memoryStep);
      this.#granted += memoryStep;
    }
  }
}

/** Reads an object and copies its body to a buffer. */
export async function copyBody(view: RepositoryView, object: number, buffer: GrowingBuffer): Promise<Uint8Array> {
  const { body } = await view.read(object);
  buffer.fit(body.length);
  buffer.bytes.set(body);
  return buffer.bytes.subarray(0, body.length);
}

/** Tests if an object may be made a delta or be the base of one, as far as memory goes. Its pack must be marked. */
export function mayBeDelta({ set }: RepositoryView, object: number): boolean {
  const { objectStart, graph } = set.packOfObject(object);
  return !isCostly(graph, object - objectStart);
}
