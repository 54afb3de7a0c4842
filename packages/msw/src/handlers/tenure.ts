/** Takes what it is to hold. */
interface Takes<Content> {
  put(content: Content): Promise<void>;
}

/** What a mock holds until it is reset, with seeds that are put into it one after the other. */
export class Tenure<Held extends Takes<Content>, Content> {
  readonly held: Held;
  #seeded: Promise<void>;

  constructor(held: Held, seed: Content) {
    this.held = held;
    this.#seeded = handled(held.put(seed));
  }

  /** Resolves when all seeds of before are there. @throws {SeedError} if the first one could not be put there. */
  get ready(): Promise<Held> {
    return handled(this.#seeded.then(() => this.held));
  }

  /** Puts more in, after all that was put there before. A failure is told to the caller alone. @throws {SeedError} */
  add(content: Content): Promise<void> {
    const before = this.#seeded;
    const added = before.then(() => this.held.put(content));
    this.#seeded = handled(added.catch(() => before));
    return added;
  }
}

/** Whoever asks is told of a failure; until then it must not count as unhandled. */
function handled<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  return work;
}
