import { RemoteError } from './remote-error.ts';

/** How long a remote is waited for, in milliseconds. */
export interface TimeLimits {
  /** Maximum time without receiving a byte. The time for processing received bytes does not count. */
  readonly idle: number;
  /** Maximum total time, including the time for processing received bytes. */
  readonly total: number;
}

/**
 * Waits for a remote, one thing at a time, and gives up when a limit is reached or the caller cancels. From then on
 * everything fails with that reason. Works also where a fetch ignores its signal. {@link Patience.end} stops the clocks.
 */
export class Patience {
  readonly #idleMax: number;
  readonly #controller = new AbortController();
  readonly #total: ReturnType<typeof setTimeout>;
  readonly #stopListening: () => void;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #failure: RemoteError | undefined;
  #rejectWaiting: (error: RemoteError) => void = () => {};

  constructor({ idle, total }: TimeLimits, cancelled?: AbortSignal) {
    this.#idleMax = idle;
    const late = `not done within the ${Math.ceil(total / 1000)} s that were left`;
    this.#total = setTimeout(() => this.#giveUp(new RemoteError('timed out', late)), total);
    const cancel = (): void => this.#giveUp(new RemoteError('cancelled', 'cancelled', { cause: cancelled?.reason }));
    cancelled?.addEventListener('abort', cancel, { once: true });
    this.#stopListening = () => cancelled?.removeEventListener('abort', cancel);
    if (cancelled?.aborted === true) cancel();
  }

  /** Signal for requests to the remote: aborted when the wait ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws {RemoteError} `stalled`, `timed out` or `cancelled`, if the wait has ended for that reason. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * Awaits `work`.
   *
   * @throws {RemoteError} `stalled`, `timed out` or `cancelled`; otherwise the rejection of `work`.
   */
  wait<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      work
        .finally(() => this.#stopWaiting())
        // After the wait has ended, replies of the remote are ignored. Its request then fails as expected.
        .then(resolve, (error: unknown) => reject(this.#failure ?? (error as Error)));
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#rejectWaiting = reject;
      this.#idle = setTimeout(
        () => this.#giveUp(new RemoteError('stalled', `nothing came for ${this.#idleMax} ms`)),
        this.#idleMax,
      );
    });
  }

  /** Stops the timers and ends requests that are still running. */
  end(): void {
    clearTimeout(this.#total);
    this.#stopWaiting();
    this.#stopListening();
    this.#controller.abort();
  }

  #stopWaiting(): void {
    clearTimeout(this.#idle);
    this.#rejectWaiting = () => {};
  }

  #giveUp(failure: RemoteError): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#rejectWaiting(failure);
    this.end();
  }
}
