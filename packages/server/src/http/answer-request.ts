import type { Client } from './client.ts';
import { ClientGoneError, plainReply, UnservableRequestError } from './plain-reply.ts';
import type { Answering } from './sockets.ts';

/** What became of a reply. */
export interface SentReply {
  /** Bytes of the body handed to the socket. */
  readonly bytes: number;
  /** False if the client went away or the body failed. */
  readonly whole: boolean;
  /** What the body failed with. */
  readonly failure?: unknown;
}

/** One request and its reply, as a runtime brings and takes them. */
export interface Exchange {
  readonly method: string;
  /** Without query, user and password. */
  readonly path: string;
  readonly client: Client;
  /**
   * Makes the request for the handler.
   *
   * @throws {UnservableRequestError} for one that HTTP or the Fetch standard does not let through.
   */
  readonly request: () => Request;
  /** Sends the reply. `status`: 0 if the client left before there was one. */
  readonly send: (response: Response) => Promise<SentReply & { readonly status: number }>;
  /** Bytes of the request body so far. */
  readonly received: () => number;
}

/**
 * Has a request answered by the handler, as {@link Answering} says: the same on every runtime. Resolves when the reply
 * has been sent, or will not be, and the log was told.
 */
export async function answerRequest(exchange: Exchange, options: Answering): Promise<void> {
  const began = performance.now();
  let handling: Promise<Response> | undefined;
  let response: Response;
  let failure: unknown;
  try {
    handling = options.handler(exchange.request());
    response = await Promise.race([handling, exchange.client.silent]);
  } catch (error) {
    if (!(error instanceof UnservableRequestError)) failure = error;
    response = plainReply(error);
  }
  options.complete?.(response.headers);
  const sent = await exchange.send(response);
  failure ??= sent.failure;
  options.onServed?.({
    method: exchange.method,
    path: exchange.path,
    status: sent.status,
    headers: response.headers,
    received: exchange.received(),
    sent: sent.bytes,
    duration: performance.now() - began,
    whole: sent.whole,
    ...(failure === undefined || failure instanceof ClientGoneError ? {} : { failure }),
  });
  // The handler of a client that fell silent may still end its work, but its reply is not sent.
  const unread = await handling?.catch(() => undefined);
  if (unread !== response) await unread?.body?.cancel().catch(() => undefined);
}

/** Whether a reply has no body, whatever the handler gave it (RFC 9110 §6.4.1). */
export function isBodyless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/** The requests of a server that are not over yet. */
export class RequestsInHand {
  readonly #cuts = new Map<Promise<void>, () => void>();

  /** Keeps a request until `ended`. `cut` breaks it off. */
  add(ended: Promise<void>, cut: () => void = () => undefined): void {
    const kept = ended.finally(() => this.#cuts.delete(kept));
    this.#cuts.set(kept, cut);
  }

  readonly running = (): number => this.#cuts.size;

  /** Resolves when no request is in hand. */
  readonly idle = async (): Promise<void> => {
    while (this.#cuts.size > 0) await Promise.allSettled(this.#cuts.keys());
  };

  cutAll(): void {
    for (const cut of this.#cuts.values()) cut();
  }
}
