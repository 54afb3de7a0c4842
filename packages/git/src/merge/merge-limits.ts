import type { Steps } from '../work/loops.ts';

/** A merge would take more than one request may. */
export class MergeTooLargeError extends Error {
  override readonly name = 'MergeTooLargeError';

  constructor(what: string, max: number) {
    super(`the merge exceeds the limit of ${max} for the ${what}`);
  }
}

/** Maximum number of tree entries that one merge compares. */
const entriesMax = 2_000_000;

/** Maximum number of lines that one merge compares: some seconds. */
const comparedMax = 1_000_000_000;

/** Bounds of one merge. */
export class MergeLimits {
  /**
   * Receives bytes that the merge holds from now on. It may throw to end the merge.
   */
  readonly hold: (bytes: number) => void;
  #entries = 0;
  #compared = 0;

  constructor(hold: (bytes: number) => void = () => undefined) {
    this.hold = hold;
  }

  /**
   * Counts a tree entry.
   *
   * @throws {MergeTooLargeError}
   */
  count(): void {
    if (++this.#entries > entriesMax) throw new MergeTooLargeError('number of tree entries', entriesMax);
  }

  /**
   * Counts the steps of a comparison.
   *
   * @throws {MergeTooLargeError}
   */
  *counting<T>(steps: Steps<T>): Steps<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      this.#compared += step.value;
      if (this.#compared > comparedMax) throw new MergeTooLargeError('number of compared lines', comparedMax);
      yield step.value;
    }
  }
}
