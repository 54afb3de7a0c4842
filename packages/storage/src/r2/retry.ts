import { StorageError } from '@packhouse/git';

/** Milliseconds before the first of three more attempts; doubled before each further one. */
const firstDelay = 100;
const retriesMax = 3;

export type Sleep = (milliseconds: number) => Promise<void>;

/** The attempts at one thing. */
export class Attempts {
  readonly #sleep: Sleep;
  #failures = 0;

  constructor(sleep: Sleep) {
    this.#sleep = sleep;
  }

  /**
   * Waits for the next attempt.
   *
   * @throws {StorageError} if there is none: after the fourth failure with the last one as its cause, and at once for a
   * `StorageError`, which says that another attempt would not help.
   */
  async failed(error: unknown): Promise<void> {
    if (error instanceof StorageError) throw error;
    if (this.#failures === retriesMax)
      throw new StorageError(error instanceof Error ? error.message : 'The bucket failed', { cause: error });
    await this.#sleep(firstDelay * 2 ** this.#failures++);
  }

  /** Something went well: failures count anew. */
  succeeded(): void {
    this.#failures = 0;
  }
}

/**
 * Does `work` up to four times.
 *
 * @throws {StorageError} as {@link Attempts.failed} does.
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
