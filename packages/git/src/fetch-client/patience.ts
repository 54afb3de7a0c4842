import { RemoteError } from './remote-error.ts';

/** How long a remote is waited for, in milliseconds. */
export interface TimeLimits {
  /** Without a byte of it. The time that its bytes are worked on does not count. */
  readonly idle: number;
  /** In all, with the time that its bytes are worked on. */
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
  #failure: RemoteError | undefined;
  #rejectWaiting: (error: RemoteError) => void = () => {};

  constructor({ idle, total }: TimeLimits, cancelled?: AbortSignal) {
    this.#idleMax = idle;
    this.#total = setTimeout(() => this.#giveUp(new RemoteError('timed out', `not done within ${total} ms`)), total);
    const cancel = (): void => this.#giveUp(new RemoteError('cancelled', 'cancelled', { cause: cancelled?.reason }));
    cancelled?.addEventListener('abort', cancel, { once: true });
    this.#stopListening = () => cancelled?.removeEventListener('abort', cancel);
    if (cancelled?.aborted === true) cancel();
  }

  /** For requests to the remote: aborted when patience ends. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** @throws {RemoteError} `stalled`, `timed out` or `cancelled`, if it was given up. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * What `work` comes to.
   *
   * @throws {RemoteError} `stalled`, `timed out` or `cancelled`. Else what `work` is rejected with.
   */
  wait<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const stalled = new RemoteError('stalled', `nothing came for ${this.#idleMax} ms`);
      const idle = setTimeout(() => this.#giveUp(stalled), this.#idleMax);
      this.#rejectWaiting = reject;
      work
        .finally(() => {
          clearTimeout(idle);
          this.#rejectWaiting = () => {};
        })
        // What a remote says after it was given up is not heard; the end of a request that was given up is no news.
        .then(resolve, (error: unknown) => reject(this.#failure ?? (error as Error)));
      if (this.#failure !== undefined) reject(this.#failure);
    });
  }

  /** Stops the clocks, and ends requests that are still under way. */
  end(): void {
    clearTimeout(this.#total);
    this.#stopListening();
    this.#controller.abort();
  }

  #giveUp(failure: RemoteError): void {
    if (this.#failure !== undefined) return;
    this.#failure = failure;
    this.#rejectWaiting(failure);
    this.end();
  }
}
