/** Makes all operations fail from a given one on, as if the process had died there. */
export class Dying {
  #left = Infinity;
  #late = false;

  /** Dies at operation `at`, counted from 0; if `late`, after its effect. */
  arm(at: number, late: boolean): void {
    this.#left = at;
    this.#late = late;
  }

  /** @returns true if it had died. */
  revive(): boolean {
    const died = this.#left < 0;
    this.#left = Infinity;
    return died;
  }

  /** Wraps a port so that its operations count. */
  port<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (_, name) => {
        const found: unknown = Reflect.get(port, name, port);
        if (typeof found !== 'function') return found;
        return async (...given: unknown[]) => this.#operate(async () => found.apply(port, given) as unknown);
      },
    });
  }

  async #operate<T>(work: () => Promise<T>): Promise<T> {
    if (this.#left > 0) {
      this.#left -= 1;
      return await work();
    }
    const happens = this.#left === 0 && this.#late;
    this.#left = -1;
    const made: unknown = happens ? await work() : undefined;
    // Open handles end with a process.
    if (made instanceof Object && 'close' in made && typeof made.close === 'function') await made.close();
    throw new Error('The process has died');
  }
}
