import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { RequestAccount } from '../memory/request-account.ts';

/** Bytes that are reserved at once, so that most steps reserve nothing. */
const portion = 256 * 1024;

/** Memory of one read whose size shows only while it runs. Holds what it once reserved until the request ends. */
export class HeldMemory {
  readonly #account: RequestAccount;
  readonly #max: number;
  #held = 0;
  #reserved = 0;

  /** @param max maximum bytes to hold at a time (LIM-059). */
  constructor(account: RequestAccount, max: number) {
    this.#account = account;
    this.#max = max;
  }

  /**
   * Holds so many bytes more; may have to wait.
   *
   * @throws {NotEnoughMemoryError}
   */
  async add(bytes: number): Promise<void> {
    this.#held += bytes;
    if (this.#held > this.#max)
      throw new NotEnoughMemoryError({ needed: this.#held, limit: this.#max, setting: 'request_memory_max' });
    const missing = this.#held - this.#reserved;
    if (missing <= 0) return;
    const more = Math.max(missing, Math.min(portion, this.#max - this.#reserved));
    await this.#account.planMore(more);
    this.#reserved += more;
  }

  /** Makes room for what is added later. */
  drop(bytes: number): void {
    this.#held -= bytes;
  }
}
