/** Holds requests back until a mock has what it is to begin with, and puts seeds into it one after the other. */
export class Beginning {
  #begun: Promise<void> = Promise.resolve();

  /** Resolves when there is everything. @throws what putting it there threw. */
  get done(): Promise<void> {
    return this.#begun;
  }

  /** Begins anew. What is under way of the last beginning goes on where it was. */
  restart(work: () => Promise<void>): Promise<void> {
    this.#begun = work();
    // Whoever asks is told of a failure; until then it must not count as unhandled.
    this.#begun.catch(() => {});
    return this.#begun;
  }

  /** Adds to what is there, after all that was added before. A failure is told to the caller alone. */
  add(work: () => Promise<void>): Promise<void> {
    const added = this.#begun.then(work);
    this.#begun = this.#begun.then(() => added.catch(() => {}));
    this.#begun.catch(() => {});
    return added;
  }
}
