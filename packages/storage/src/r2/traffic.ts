/** What R2 bills: class A writes, class B reads, and what is free (`delete`, `abort`). */
export type OperationKind = 'classA' | 'classB' | 'free';

/**
 * Hears of each operation on the bucket as it begins, repeated attempts included.
 *
 * @param rangesInFlight reads of this store that are under way, a read that begins included; at most {@link readsMax}.
 */
export type OnOperation = (kind: OperationKind, rangesInFlight: number) => void;

/** Reads at once: a Worker waits for the answers of six connections at most, and two stay free. */
export const readsMax = 4;

/** Counts operations, and keeps reads from being too many at once. */
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

  /** Runs a read once fewer than {@link readsMax} others run; in the order of the calls. */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    if (this.#reading < readsMax) this.#reading += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await read();
    } finally {
      // The place goes to the next in line, if there is one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#reading -= 1;
      else next();
    }
  }
}
