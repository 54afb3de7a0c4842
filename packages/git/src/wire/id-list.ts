import { objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';

/** Bytes that an id is told to take: its place, with those that are copied when the list grows, and a few numbers. */
const keptPerId = 40;
const countAtFirst = 64;

/** Ids as a request lists them, repetitions included, 20 bytes each: a body may hold some 340,000 (LIM-057). */
export class IdList implements Iterable<ObjectId> {
  /** Of which the first {@link IdList.length} ids count. Replaced when the list grows. */
  bytes: Uint8Array = new Uint8Array(countAtFirst * objectIdBytes);
  length = 0;
  readonly #keep: (bytes: number) => void;

  /** `keep` is told what the list takes, ahead of its growth beyond a few ids. */
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
