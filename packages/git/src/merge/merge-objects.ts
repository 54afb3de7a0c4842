import type { ObjectSource } from '../diff/object-source.ts';
import { treeKind, type blobKind, type GitObject } from '../object/kind.ts';
import { objectIdAt, type ObjectId } from '../object/object-id.ts';
import { TreeCursor } from '../object/tree.ts';
import { hashObject } from '../pack/hash-in-turns.ts';
import type { Codec } from '../ports/codec.ts';
import type { Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import type { MergeLimits } from './merge-limits.ts';

/** Memory of one made object, besides its body. */
const memoryAnObject = 400;

/** Work for an entry of a made tree, as a number of table entries. */
const entriesAnEntry = 12;

/** Objects of a source together with those that a merge makes, which stay in memory. */
export class MergeObjects implements ObjectSource {
  readonly #source: ObjectSource;
  readonly #codec: Codec;
  readonly limits: MergeLimits;
  readonly #made = new Map<ObjectId, GitObject>();

  constructor(source: ObjectSource, codec: Codec, limits: MergeLimits) {
    this.#source = source;
    this.#codec = codec;
    this.limits = limits;
  }

  get work(): Work {
    return this.#source.work;
  }

  read(oid: ObjectId): GitObject | Promise<GitObject> {
    return this.#made.get(oid) ?? this.#source.read(oid);
  }

  sizeOf(oid: ObjectId): number {
    return this.#made.get(oid)?.body.length ?? this.#source.sizeOf(oid);
  }

  /** Adds a blob or tree. Returns its id. */
  async write(kind: typeof blobKind | typeof treeKind, body: Uint8Array): Promise<ObjectId> {
    // A copy: the body may be a view that is valid only until others have their turn.
    const object = { kind, body: body.slice() };
    const oid = await hashObject(this.#codec, object, this.work);
    if (!this.#made.has(oid)) {
      this.limits.hold(memoryAnObject + body.length);
      this.#made.set(oid, object);
    }
    return oid;
  }

  /** Finds the made objects that a tree reaches, each once. Steps count table entries. */
  *madeBelow(tree: ObjectId): Steps<readonly GitObject[]> {
    const waiting = [tree];
    const found = new Map<ObjectId, GitObject>();
    for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
      const object = found.has(oid) ? undefined : this.#made.get(oid);
      if (object === undefined) continue;
      found.set(oid, object);
      if (object.kind !== treeKind) continue;
      for (const cursor = new TreeCursor(object.body); cursor.next();) {
        yield entriesAnEntry;
        const entry = objectIdAt(cursor.body, cursor.oidAt);
        if (this.#made.has(entry)) waiting.push(entry);
      }
    }
    return [...found.values()];
  }
}
