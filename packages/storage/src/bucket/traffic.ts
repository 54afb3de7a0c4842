/** Price classes of object stores (R2's names): class A for writes, class B for reads, and free operations (`delete`, `abort`). */
export type OperationKind = 'classA' | 'classB' | 'free';

/**
 * Called at the start of each operation on the bucket, including retries.
 *
 * @param rangesInFlight number of reads in progress in this store, including one that starts; at most {@link readsMax}.
 */
export type OnOperation = (kind: OperationKind, rangesInFlight: number) => void;

/** Maximum concurrent reads. A Worker allows six connections that wait for a reply; two stay free. */
export const readsMax = 4;

/** Counts operations, and limits concurrent reads. */
export class Traffic {
  readonly #onOperation: OnOperation;
  readonly #waiting: (() => void)[] = [];
  #reading = 0;

  constructor(onOperation: OnOperation) {
    this.#onOperation = onOperation;
  }

  count(kind: OperationKind): void {
    this.#onOperation(kind, this.#reading);
  }

  /** Runs a read once fewer than {@link readsMax} others run, in the order of calls. */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    if (this.#reading < readsMax) this.#reading += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      // Pass the slot to the next in the queue, if any.
      const next = this.#waiting.shift();
      if (next === undefined) this.#reading -= 1;
      else next();
    }
  }
}
