import { objectIdBytes } from '../object/object-id.ts';

/** Ids in the order they were first named, each once. Meant for few. */
export class IdList {
  readonly #numbers = new Map<string, number>();
  readonly #ids: Uint8Array[] = [];

  /** Number of the id whose 20 bytes stand at `at`. */
  numberOf(ids: Uint8Array, at: number): number {
    const id = ids.subarray(at, at + objectIdBytes);
    const key = id.join();
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#ids.length;
      this.#numbers.set(key, number);
      this.#ids.push(id.slice());
    }
    return number;
  }

  /** All of them, 20 bytes each. */
  bytes(): Uint8Array {
    const all = new Uint8Array(this.#ids.length * objectIdBytes);
    this.#ids.forEach((id, i) => all.set(id, i * objectIdBytes));
    return all;
  }
}
