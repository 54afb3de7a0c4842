/** A service that accepts content. */
interface Takes<Content> {
  put(content: Content): Promise<void>;
}

/** The service that a mock uses until the next reset. Stores seeds one after the other. */
export class Tenure<Held extends Takes<Content>, Content> {
  readonly held: Held;
  #seeded: Promise<void>;

  constructor(held: Held, seed: Content) {
    this.held = held;
    this.#seeded = handled(held.put(seed));
  }

  /**
   * Resolves to the service when all seeds so far are stored.
   *
   * @throws {SeedError} if the first one was refused.
   */
  get ready(): Promise<Held> {
    return handled(this.#seeded.then(() => this.held));
  }

  /**
   * Adds content after all earlier seeds. Only the caller receives a failure.
   *
   * @throws {SeedError}
   */
  add(content: Content): Promise<void> {
    const before = this.#seeded;
    const added = before.then(() => this.held.put(content));
    this.#seeded = handled(added.catch(() => before));
    return added;
  }
}

/**
 * Marks a promise as handled. Callers that await it still get the failure, and until then it must not count as
 * unhandled.
 */
function handled<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {});
  return work;
}
