import { ClientGoneError, silentReply } from './plain-reply.ts';
import type { Answering } from './sockets.ts';

/** Milliseconds that a request body may be silent, by default (LIM-020). */
const bodyIdleDefault = 60_000;

/** The client of one request. Tracks whether it is still connected and still sends. */
export class Client {
  /** Milliseconds that a read of the request body may wait for bytes. */
  readonly bodyIdle: number;
  readonly received: Answering['received'];
  readonly #onLeave: () => void;
  readonly #silent = Promise.withResolvers<Response>();
  #aborting: AbortController | undefined;
  #aborted = false;
  #left = false;

  /** @param onLeave called for each sign that the client has disconnected. */
  constructor({ bodyIdle = bodyIdleDefault, received }: Answering, onLeave: () => void = () => undefined) {
    this.bodyIdle = bodyIdle;
    this.received = received;
    this.#onLeave = onLeave;
  }

  /** True if the client disconnected. */
  get left(): boolean {
    return this.#left;
  }

  /** True if the client disconnected or fell silent. */
  get isGone(): boolean {
    return this.#aborted;
  }

  /** Resolves with a reply once the client has fallen silent. */
  get silent(): Promise<Response> {
    return this.#silent.promise;
  }

  /**
   * Gives the request a signal that fires once the client is gone. The signal is made on first access: a signal passed
   * to the constructor of `Request` would cost every small request a third of its time.
   */
  signalOn(request: Request): void {
    const get = (): AbortSignal => {
      this.#aborting ??= new AbortController();
      if (this.#aborted) this.#aborting.abort(new ClientGoneError());
      return this.#aborting.signal;
    };
    Object.defineProperty(request, 'signal', { get, configurable: true });
  }

  leave(): void {
    this.#left = true;
    this.#abort();
    this.#onLeave();
  }

  fallSilent(): void {
    this.#abort();
    this.#silent.resolve(silentReply());
  }

  #abort(): void {
    this.#aborted = true;
    this.#aborting?.abort(new ClientGoneError());
  }
}
