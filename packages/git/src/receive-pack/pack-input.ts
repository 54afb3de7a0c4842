/** Initial size of the buffer. */
const gatheredFirst = 16 * 1024;

/** The bytes of a pushed pack on their way to the indexer, with the state of the request. */
export class PackInput {
  readonly #source: AsyncIterator<Uint8Array>;
  #first: IteratorResult<Uint8Array, unknown> | undefined;
  #resolveEnded: () => void = () => {};
  /** Resolves when the whole request was read. After that the reply can start. */
  readonly ended: Promise<void>;
  /** Error of reading the request, such as an exceeded limit: it decides the reply. */
  failure: unknown;

  #gathered: Uint8Array | undefined;
  #hold: (bytes: number) => void = () => {};

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Tests if the request has no pack at all. */
  async isEmpty(): Promise<boolean> {
    this.#first ??= await this.#next();
    return this.#first.done === true;
  }

  /**
   * Reads up to `most` bytes ahead, so that a slow client holds little more memory than it has sent. Calls `hold` with
   * that amount; `hold` may throw.
   *
   * @returns the number of bytes if that is all; undefined if there is more.
   */
  async gather(most: number, hold: (bytes: number) => void): Promise<number | undefined> {
    this.#hold = hold;
    let buffer = new Uint8Array(0);
    let length = 0;
    for (;;) {
      const result = (this.#first ??= await this.#next());
      this.#gathered = buffer.subarray(0, length);
      if (result.done === true) return length;
      const end = length + result.value.length;
      if (end > most) return undefined;
      if (end > buffer.length) {
        const larger = Math.min(most, Math.max(end, 2 * buffer.length, gatheredFirst));
        hold(larger);
        const grown = new Uint8Array(larger);
        grown.set(buffer.subarray(0, length));
        buffer = grown;
      }
      buffer.set(result.value, length);
      length = end;
      this.#first = undefined;
    }
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#gathered !== undefined) {
      if (this.#gathered.length > 0) yield this.#gathered;
      this.#letGo();
    }
    let result = this.#first ?? (await this.#next());
    while (result.done !== true) {
      yield result.value;
      result = await this.#next();
    }
  }

  /** Reads the rest of the body, so that a client that is still sending can read the reply. */
  async drain(): Promise<void> {
    this.#letGo();
    while ((await this.#next()).done !== true);
  }

  #letGo(): void {
    if (this.#gathered === undefined) return;
    this.#gathered = undefined;
    this.#hold(0);
  }

  async #next(): Promise<IteratorResult<Uint8Array, unknown>> {
    try {
      const result = await this.#source.next();
      if (result.done === true) this.#resolveEnded();
      return result;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
