import { HostingError } from '@packhouse/base';

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
}

/** Lets a number of imports go on at once. Each holds memory for as long as its remote takes to send. */
export class Turns {
  readonly #most: number;
  /** Turns that are taken, one entry each. */
  readonly #taken: string[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does `work` when it is its turn: next is the account that has the fewest, and of one account who came first.
   *
   * @param signal ends the waiting, not the work.
   * @param patience milliseconds that are waited at most.
   * @throws {HostingError} `repoNotFound` if it was ended, `upstreamUnavailable` if it took too long (LIM-014).
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
      // It may have begun just now.
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
