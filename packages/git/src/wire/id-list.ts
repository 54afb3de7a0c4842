import { objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';

/** Accounted bytes per id: its place, copies while the list grows, and a few numbers. */
const keptPerId = 40;
const countAtFirst = 64;

/** Ids as a request lists them, repetitions included, 20 bytes each: a body may hold some 340,000 (LIM-057). */
export class IdList implements Iterable<ObjectId> {
  /** The first {@link IdList.length} ids are in use. Replaced when the list grows. */
  bytes: Uint8Array = new Uint8Array(countAtFirst * objectIdBytes);
  length = 0;
  readonly #keep: (bytes: number) => void;

  /** @param keep called with the memory of the list, before it grows beyond a few ids. */
  constructor(keep: (bytes: number) => void = () => {}) {
    this.#keep = keep;
  }

  add(id: ObjectId): void {
    if (this.length * objectIdBytes === this.bytes.length) this.#grow();
    writeObjectId(id, this.bytes, this.length * objectIdBytes);
    this.length++;
  }

  *[Symbol.iterator](): Generator<ObjectId, void, undefined> {
    for (let i = 0; i < this.length; i++) yield objectIdAt(this.bytes, i * objectIdBytes);
  }

  #grow(): void {
    const more = Math.max(countAtFirst, this.length >> 2);
    this.#keep(keptPerId * more);
    const larger = new Uint8Array((this.length + more) * objectIdBytes);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
