import type { Client } from './client.ts';
import { ClientGoneError, plainReply, UnservableRequestError } from './plain-reply.ts';
import type { Answering } from './sockets.ts';

/** The outcome of sending a reply. */
export interface SentReply {
  /** Bytes of the body handed to the socket. */
  readonly bytes: number;
  /** False if the client went away or the body failed. */
  readonly whole: boolean;
  /** The error of the body. */
  readonly failure?: unknown;
}

/** One request and its reply at the boundary to a runtime. */
export interface Exchange {
  readonly method: string;
  /** Without query, user and password. */
  readonly path: string;
  readonly client: Client;
  /**
   * Makes the request for the handler.
   *
   * @throws {UnservableRequestError} for a request that HTTP or the Fetch standard does not allow.
   */
  readonly request: () => Request;
  /** Sends the reply. `status`: 0 if the client left before the reply existed. */
  readonly send: (response: Response) => Promise<SentReply & { readonly status: number }>;
  /** Bytes of the request body so far. */
  readonly received: () => number;
}

/**
 * Calls the handler for a request and sends its reply, in the same way on every runtime ({@link Answering}). Resolves
 * when the reply has been sent or abandoned, and logged.
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
  // After a client fell silent, the handler may still finish. Its reply is not sent, so cancel the body.
  const unread = await handling?.catch(() => undefined);
  if (unread !== response) await unread?.body?.cancel().catch(() => undefined);
}

/** Returns true if a reply has no body, even if the handler gave it one (RFC 9110 §6.4.1). */
export function isBodyless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

/** The requests of a server that have not ended. */
export class RequestsInHand {
  readonly #cuts = new Map<Promise<void>, () => void>();

  /** Keeps a request until `ended` settles. `cut` aborts it. */
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
