import { closeSync, openSync } from 'node:fs';

/** Enough for the files and databases of the requests in hand. */
const size = 64;

/**
 * Descriptors that are kept from connections (LIM-021). Deno takes connections until there is no descriptor left; these
 * are then given to the files of the requests in hand.
 */
export class DescriptorReserve {
  readonly #path: string;
  readonly #held: number[] = [];

  /** `path`: a file or folder that this process may read. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Takes all descriptors of the reserve if as many more are free for connections; else none, and is false. */
  fill(): boolean {
    try {
      while (this.#held.length < 2 * size) this.#held.push(openSync(this.#path, 'r'));
      this.#close(size);
      return true;
    } catch {
      this.#close(0);
      return false;
    }
  }

  /** Gives them all back. Idempotent. */
  empty(): void {
    this.#close(0);
  }

  #close(kept: number): void {
    for (const descriptor of this.#held.splice(kept)) closeSync(descriptor);
  }
}
