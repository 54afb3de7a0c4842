/** The bytes of a pushed pack on their way to the indexer, and what they tell about the request. */
export class PackInput {
  readonly #source: AsyncIterator<Uint8Array>;
  #first: IteratorResult<Uint8Array, unknown> | undefined;
  #resolveEnded: () => void = () => {};
  /** Resolves when all of the request was read. From then on the reply may begin. */
  readonly ended: Promise<void>;
  /** What went wrong while reading the request, such as a limit of its size: this decides the reply. */
  failure: unknown;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  /** Whether there is nothing at all. */
  async isEmpty(): Promise<boolean> {
    this.#first ??= await this.#next();
    return this.#first.done === true;
  }

  async *bytes(): AsyncGenerator<Uint8Array, void, undefined> {
    let result = this.#first ?? (await this.#next());
    while (result.done !== true) {
      yield result.value;
      result = await this.#next();
    }
  }

  /** Reads what is left, so that a client that is still sending comes to read the reply. */
  async drain(): Promise<void> {
    while ((await this.#next()).done !== true);
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
