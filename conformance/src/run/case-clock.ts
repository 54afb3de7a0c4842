/** The time limit of a case. The clock stops while the case waits for something outside its control. */
export class CaseClock {
  readonly #end: () => void;
  #left: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;
  #stopped = false;

  /** Calls `end` after the milliseconds. */
  constructor(milliseconds: number, end: () => void) {
    this.#left = milliseconds;
    this.#end = end;
    this.#run();
  }

  /**
   * Waits for the milliseconds, which do not count.
   *
   * @throws the reason of the signal, as soon as it is aborted.
   */
  async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    await this.during(
      new Promise<void>((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          if (signal.aborted) reject(signal.reason);
          else resolve();
        };
        const timer = setTimeout(end, milliseconds);
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      }),
    );
  }

  /** Waits for work whose time does not count. */
  async during<T>(work: Promise<T>): Promise<T> {
    if (this.#pauses++ === 0) this.#hold();
    try {
      return await work;
    } finally {
      if (--this.#pauses === 0) this.#run();
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    if (this.#stopped) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#end, Math.max(this.#left, 0));
  }

  #hold(): void {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
  }
}
