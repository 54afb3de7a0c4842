/**
 * Implements nested calls of `SqlDriver.transaction`. They join the outermost transaction, which is rolled back if any
 * nested call threw, even if the error was caught.
 */
export class NestedTransactions {
  #depth = 0;
  #failure: { readonly error: unknown } | undefined;

  get isRunning(): boolean {
    return this.#depth > 0;
  }

  /** Runs `work`. If no transaction is open, `outermost` begins and ends one around it. */
  run<T>(work: () => T, outermost: (whole: () => T) => T): T {
    if (this.#depth > 0) return this.#joined(work);
    this.#failure = undefined;
    return outermost(() => {
      const result = this.#joined(work);
      // A joined call may have set the field, which the compiler cannot see.
      const failure = this.#failure as { readonly error: unknown } | undefined;
      if (failure !== undefined) throw failure.error;
      return result;
    });
  }

  #joined<T>(work: () => T): T {
    this.#depth += 1;
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('A transaction must not be asynchronous');
      return result;
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }
}
