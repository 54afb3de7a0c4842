import { StorageError } from '@packhouse/git';

/** Milliseconds before the first of three retries; doubles before each further one. */
const firstDelay = 100;
const retriesMax = 3;

export type Sleep = (milliseconds: number) => Promise<void>;

/** Sleeps between half and one and a half of the time, so that clients of a busy bucket do not return at once. */
export const sleepWithJitter: Sleep = (milliseconds) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds * (0.5 + Math.random())));

/** Attempts of one operation. */
export class Attempts {
  readonly #sleep: Sleep;
  #failures = 0;

  constructor(sleep: Sleep) {
    this.#sleep = sleep;
  }

  /**
   * Waits for the next attempt.
   *
   * @throws {StorageError} after the fourth failure, with the last one as its cause; at once for a `StorageError`,
   * which means that a retry cannot help.
   */
  async failed(error: unknown): Promise<void> {
    if (error instanceof StorageError) throw error;
    if (this.#failures === retriesMax)
      throw new StorageError(error instanceof Error ? error.message : 'The bucket failed', { cause: error });
    await this.#sleep(firstDelay * 2 ** this.#failures++);
  }

  /** Resets the number of failures after a success. */
  succeeded(): void {
    this.#failures = 0;
  }
}

/**
 * Runs `work` up to four times.
 *
 * @throws {StorageError} like {@link Attempts.failed}.
 */
export async function retried<T>(sleep: Sleep, work: (attempt: number) => Promise<T>): Promise<T> {
  const attempts = new Attempts(sleep);
  for (let attempt = 0; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      await attempts.failed(error);
    }
  }
}
