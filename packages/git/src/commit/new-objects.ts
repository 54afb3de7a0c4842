import type { Codec } from '../ports/codec.ts';
import type { GitObject, KindNumber } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { deflateInTurns } from '../pack/deflate-in-turns.ts';
import { entryHeaderMax, writeEntryHeader } from '../pack/entry-header.ts';
import { hashObject } from '../pack/hash-in-turns.ts';
import { packHeader, PackSum } from '../pack/pack-writer.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

const compressionLevel = 6;

/** Entries of stored objects, as they follow the header of a pack. */
export interface StoredEntries {
  readonly count: number;
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Objects that a change makes, each once, for one pack without deltas. */
export class NewObjects {
  readonly #codec: Codec;
  readonly #work: Work;
  readonly #objects = new Map<ObjectId, GitObject>();

  constructor(codec: Codec, work: Work) {
    this.#codec = codec;
    this.#work = work;
  }

  get count(): number {
    return this.#objects.size;
  }

  /** Bytes of their bodies. */
  get bytes(): number {
    return [...this.#objects.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  get(oid: ObjectId): GitObject | undefined {
    return this.#objects.get(oid);
  }

  /** Adds an object, whose body must not change any more. Returns its id. */
  async add(kind: KindNumber, body: Uint8Array): Promise<ObjectId> {
    const object = { kind, body };
    const oid = await hashObject(this.#codec, object, this.#work);
    this.#objects.set(oid, object);
    return oid;
  }

  /**
   * Yields the pack.
   *
   * @param stored entries to put before those of the new objects. A piece may be valid only until the next one. Default:
   *   none.
   */
  async *pack(stored?: StoredEntries): AsyncGenerator<Uint8Array, void, undefined> {
    const sum = new PackSum(this.#codec);
    yield sum.pass(packHeader((stored?.count ?? 0) + this.#objects.size));
    for await (const piece of stored?.pieces ?? []) {
      if (this.#work.spend(cost.hashed, piece.length)) await this.#work.yield();
      yield sum.pass(piece.slice());
    }
    for (const { kind, body } of this.#objects.values()) {
      const header = new Uint8Array(entryHeaderMax);
      yield sum.pass(header.subarray(0, writeEntryHeader(header, 0, kind, body.length)));
      for await (const part of deflateInTurns(this.#codec, body, compressionLevel, this.#work)) yield sum.pass(part);
    }
    yield sum.trailer();
  }
}
