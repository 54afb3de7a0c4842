import { unitsOf, type Cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';

const kinds = Object.keys(unitsOf).length;
/** Amounts are shared in this unit, so that 32 bits hold them. */
const unit = 1024;
/** Milliseconds after which the work of a thread is counted again. */
const turn = 10;

/** The other thread stopped this work. */
class HelperStoppedError extends Error {
  override readonly name = 'HelperStoppedError';
}

/** Work of a thread that helps another one, which counts it (LIM-068). */
export class HelperWork implements Work {
  /** First 1 if the thread must stop, then the amounts by kind. In shared memory. */
  readonly shared: Int32Array;
  /** Amounts by kind: in the thread that helps those of its work, in the other one those that were counted. */
  readonly #amounts = new Float64Array(kinds);

  constructor(shared: Int32Array) {
    this.shared = shared;
  }

  static begin(): HelperWork {
    return new HelperWork(new Int32Array(new SharedArrayBuffer(4 * (1 + kinds))));
  }

  /** @throws {HelperStoppedError} */
  spend(kind: Cost, amount = 1): boolean {
    const sum = (this.#amounts[kind] as number) + amount;
    this.#amounts[kind] = sum;
    Atomics.store(this.shared, 1 + kind, Math.floor(sum / unit));
    if (Atomics.load(this.shared, 0) === 1) throw new HelperStoppedError();
    // The thread does nothing else.
    return false;
  }

  yield(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends the work at its next step. */
  stop(): void {
    Atomics.store(this.shared, 0, 1);
  }

  /**
   * Resolves as `result` does. Meanwhile the other thread counts the work as its own.
   *
   * @throws what `work` throws, if that is too much, or if the client left.
   */
  async counted<T>(result: Promise<T>, work: Work): Promise<T> {
    const over = result.then(() => true);
    for (let isOver = false; !isOver;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const pause = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, turn, false)));
      isOver = await Promise.race([over, pause]);
      clearTimeout(timer);
      this.#count(work);
      await work.yield();
    }
    return result;
  }

  #count(work: Work): void {
    for (let kind = 0; kind < kinds; kind++) {
      const amount = Atomics.load(this.shared, 1 + kind) * unit;
      const more = amount - (this.#amounts[kind] as number);
      this.#amounts[kind] = amount;
      if (more > 0) work.spend(kind as Cost, more);
    }
  }
}
