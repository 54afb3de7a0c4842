import { StorageError } from '@packhouse/git';

/** Records the parts of an upload, and checks the rules of `PackUpload`. */
export class PartSizes {
  readonly #partSize: number;
  readonly #sizes = new Map<number, number>();

  constructor(partSize: number) {
    this.#partSize = partSize;
  }

  /** Number of parts so far. */
  get count(): number {
    return this.#sizes.size;
  }

  /** @throws {StorageError} for a part that exists or is too large. */
  add(index: number, size: number): void {
    if (!Number.isSafeInteger(index) || index < 0 || this.#sizes.has(index))
      throw new StorageError(`Part ${index} cannot be written`);
    if (size > this.#partSize) throw new StorageError(`Part ${index} has ${size} bytes, more than ${this.#partSize}`);
    this.#sizes.set(index, size);
  }

  /** @throws {StorageError} if a part is missing, one except the last is short, or the sum is not `size`. */
  checkComplete(size: number): void {
    const count = this.#sizes.size;
    for (let index = 0; index < count; index++) {
      const partSize = this.#sizes.get(index);
      if (partSize === undefined) throw new StorageError(`Part ${index} of ${count} is missing`);
      if (index < count - 1 && partSize !== this.#partSize)
        throw new StorageError(`Part ${index} of ${count} is short`);
    }
    const sum = [...this.#sizes.values()].reduce((all, one) => all + one, 0);
    if (sum !== size) throw new StorageError(`The parts have ${sum} bytes, not ${size}`);
  }
}
