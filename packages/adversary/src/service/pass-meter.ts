import { unitsOf, type Cost } from '@packhouse/git';

/** The work between two turns of the event loop. */
export interface Pass {
  readonly units: number;
  /** Amounts by kind of cost. */
  readonly amounts: Float64Array;
  /** Microseconds of the main thread, accurate to a tick of the system. */
  readonly cpu: number;
}

/**
 * Observes every turn of the event loop: the counted work, and the time of the main thread. Keeps the loop from idling.
 */
export class PassMeter {
  readonly #totals: Float64Array;
  readonly #visit: ((pass: Pass) => void) | undefined;
  #before: Float64Array;
  #cpuBefore = 0;
  #clockBefore = 0;
  #isOn = false;
  /** Most units in one pass. */
  longest = 0;

  /**
   * `totals`: amounts by kind, which only grow. `visit` is called with each pass; without it the meter reads no clock.
   */
  constructor(totals: Float64Array, visit?: (pass: Pass) => void) {
    this.#totals = totals;
    this.#visit = visit;
    this.#before = totals.slice();
  }

  start(): void {
    this.#before = this.#totals.slice();
    this.#readClocks();
    this.longest = 0;
    if (this.#isOn) return;
    this.#isOn = true;
    setImmediate(this.#turn);
  }

  stop(): void {
    if (this.#isOn) this.#look();
    this.#isOn = false;
  }

  readonly #turn = (): void => {
    if (!this.#isOn) return;
    this.#look();
    setImmediate(this.#turn);
  };

  #look(): void {
    const totals = this.#totals;
    let units = 0;
    for (let kind = 0; kind < totals.length; kind++) {
      units += ((totals[kind] as number) - (this.#before[kind] as number)) * unitsOf[kind as Cost];
    }
    this.longest = Math.max(this.longest, units);
    if (this.#visit !== undefined) {
      const amounts = totals.map((total, kind) => total - (this.#before[kind] as number));
      const clock = performance.now();
      // The clock also advances for other processes. The time of a thread is reported in ticks.
      const cpu = Math.min(1000 * (clock - this.#clockBefore), threadTime() - this.#cpuBefore + tick);
      this.#visit({ units, amounts, cpu });
      this.#readClocks();
    }
    this.#before.set(totals);
  }

  #readClocks(): void {
    if (this.#visit === undefined) return;
    this.#cpuBefore = threadTime();
    this.#clockBefore = performance.now();
  }
}

/** Microseconds between two ticks of the system. */
const tick = 4_000;

/** Returns the microseconds that this thread has run. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
