import { HostingError } from '@packhouse/base';

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
}

/** Bounds the imports that run at once, since each holds memory for as long as its remote sends. */
export class Turns {
  readonly #most: number;
  /** The account of each running import. */
  readonly #taken: string[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs `work` when it is its turn. The account with the fewest running imports is next. Of one account, the import
   * that came first is next.
   *
   * @param signal ends the wait, but not the work.
   * @param patience milliseconds to wait at most.
   * @throws {HostingError} `repoNotFound` if the signal aborts, `upstreamUnavailable` after `patience` (LIM-014).
   */
  async run<Result>(
    account: string,
    signal: AbortSignal,
    patience: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await this.#turn(account, signal, patience);
    try {
      return await work();
    } finally {
      this.#taken.splice(this.#taken.indexOf(account), 1);
      this.#next();
    }
  }

  async #turn(account: string, signal: AbortSignal, patience: number): Promise<void> {
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { account, begin };
    this.#waiting.push(waiting);
    const end = (kind: 'repoNotFound' | 'upstreamUnavailable'): void => {
      const place = this.#waiting.indexOf(waiting);
      // The import may have begun just now.
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(new HostingError(kind));
    };
    const cancel = (): void => end('repoNotFound');
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    const timer = setTimeout(() => end('upstreamUnavailable'), patience);
    this.#next();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  #next(): void {
    if (this.#taken.length >= this.#most) return;
    const turns = ({ account }: Waiting): number => this.#taken.filter((other) => other === account).length;
    const [first] = this.#waiting.toSorted((a, b) => turns(a) - turns(b));
    if (first === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#taken.push(first.account);
    first.begin();
  }
}
