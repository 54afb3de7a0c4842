import type { Hold } from '../memory/holding.ts';
import { entriesACommit } from '../graph/merge-bases.ts';
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

/** Maximum number of merges whose result is a merge base, for one merge. */
const basesMax = 100;

/** Maximum number of commits that one merge visits to find its merge bases, those of merge bases included. */
const commitsMax = 20_000_000;

/** Bounds of one merge. */
export class MergeLimits {
  readonly hold: Hold;
  #entries = 0;
  #compared = 0;
  #bases = 0;
  #visited = 0;

  constructor(hold: Hold = () => undefined) {
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
   * Counts a merge of merge bases.
   *
   * @throws {MergeTooLargeError}
   */
  countBase(): void {
    if (++this.#bases > basesMax) throw new MergeTooLargeError('number of merge bases', basesMax);
  }

  /**
   * Counts the steps of a comparison.
   *
   * @throws {MergeTooLargeError}
   */
  counting<T>(steps: Steps<T>): Steps<T> {
    return each(steps, (lines) => {
      this.#compared += lines;
      if (this.#compared > comparedMax) throw new MergeTooLargeError('number of compared lines', comparedMax);
    });
  }

  /**
   * Counts the steps of a walk over commits.
   *
   * @throws {MergeTooLargeError}
   */
  visiting<T>(steps: Steps<T>): Steps<T> {
    return each(steps, (entries) => {
      this.#visited += entries;
      if (this.#visited > entriesACommit * commitsMax) throw new MergeTooLargeError('number of commits', commitsMax);
    });
  }
}

function* each<T>(steps: Steps<T>, count: (amount: number) => void): Steps<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    count(step.value);
    yield step.value;
  }
}
