import { closeSync, openSync } from 'node:fs';

/** Number of descriptors: enough for the files and databases of the running requests. */
const size = 64;

/**
 * Descriptors reserved for files (LIM-021). Deno accepts connections until no descriptor is left. Emptying the reserve
 * then frees descriptors for the files of the running requests.
 */
export class DescriptorReserve {
  readonly #path: string;
  readonly #held: number[] = [];

  /** @param path a file or folder that this process may read. */
  constructor(path: string) {
    this.#path = path;
  }

  /** Fills the reserve if as many more descriptors are free for connections. Otherwise empties it and returns false. */
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

  /** Closes all descriptors of the reserve. Idempotent. */
  empty(): void {
    this.#close(0);
  }

  #close(kept: number): void {
    for (const descriptor of this.#held.splice(kept)) closeSync(descriptor);
  }
}
