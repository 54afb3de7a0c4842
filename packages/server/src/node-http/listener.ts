import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  bodyIdleDefault,
  ClientGoneError,
  plainReply,
  silentReply,
  UnservableRequestError,
} from '../http/plain-reply.ts';
import { loggedPath } from '../http/request-target.ts';
import type { Answering } from '../http/sockets.ts';
import { lingerOver, waitForEnd, type LingerLimits } from './early-reply.ts';
import { Pipelines } from './pipeline.ts';
import { refuseUnparsed } from './refuse-unparsed.ts';
import { fromIncoming, type BridgedRequest } from './request.ts';
import type { Silence } from './request-body.ts';
import { writeResponse } from './response.ts';

export interface ListenerOptions extends Answering {
  readonly linger?: LingerLimits;
}

/** The listener of a Node HTTP server, and the requests it has in hand. */
export interface Listener {
  /** For the events `request` and, with `expectsContinue`, `checkContinue`. */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue?: boolean) => void;
  /** For the event `clientError`: what Node could not read as a request. */
  readonly refuse: (error: Error, socket: Duplex) => void;
  /** From now on every reply ends its connection. */
  readonly closeConnections: () => void;
  /** Resolves when no request is in hand. */
  readonly idle: () => Promise<void>;
  readonly running: () => number;
}

/** Serves Node's HTTP requests with a Fetch handler; see `docs/decisions` for why this is no library. */
export function createListener(options: ListenerOptions): Listener {
  const inHand = new Set<Promise<void>>();
  const pipelines = new Pipelines();
  /** The reply that a connection is about. */
  const replies = new WeakMap<Duplex, ServerResponse>();
  let closing = false;

  const serve = (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue = false): void => {
    const answer = async (): Promise<void> => {
      replies.set(incoming.socket, outgoing);
      try {
        await serveOne(incoming, outgoing, expectsContinue, options, () => closing);
      } catch {
        // What cannot even be written, such as a header that Node refuses: nothing is left but to hang up.
        outgoing.destroy();
      }
    };
    const served = pipelines.enter(incoming, answer).finally(() => inHand.delete(served));
    inHand.add(served);
  };
  return {
    serve,
    refuse(error, socket): void {
      const reply = replies.get(socket);
      const begun = reply !== undefined && reply.headersSent && !reply.writableFinished;
      refuseUnparsed(error, socket, { begun, complete: options.complete });
    },
    closeConnections(): void {
      closing = true;
    },
    async idle(): Promise<void> {
      while (inHand.size > 0) await Promise.allSettled(inHand);
    },
    running: () => inHand.size,
  };
}

async function serveOne(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  expectsContinue: boolean,
  options: ListenerOptions,
  closing: () => boolean,
): Promise<void> {
  const began = performance.now();
  let gone: AbortController | undefined;
  let left = false;
  const signal = (): AbortSignal => {
    gone ??= new AbortController();
    if (left) gone.abort(new ClientGoneError());
    return gone.signal;
  };
  // A broken socket is told by `close`; without a listener the event would end the process.
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  const leave = (): void => {
    left = true;
    gone?.abort(new ClientGoneError());
  };
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) leave();
  });
  const silent = Promise.withResolvers<Response>();
  const silence: Silence = {
    limit: options.bodyIdle ?? bodyIdleDefault,
    received: options.received,
    onSilent() {
      leave();
      silent.resolve(silentReply());
    },
  };

  let bridged: BridgedRequest | undefined;
  let answering: Promise<Response> | undefined;
  let response: Response;
  let failure: unknown;
  try {
    const { fallbackHost } = options;
    bridged = fromIncoming(incoming, outgoing, { signal, fallbackHost, expectsContinue, silence });
    answering = options.handler(bridged.request);
    response = await Promise.race([answering, silent.promise]);
  } catch (error) {
    if (!(error instanceof UnservableRequestError)) failure = error;
    response = plainReply(error);
  }

  // A body that came with its header is whole once Node has read the rest of what the socket held.
  if (!incoming.complete && !expectsContinue) await new Promise((resolve) => setImmediate(resolve));
  // A client that still waits for `100 Continue`, or fell silent, sends no body.
  const sends = (!expectsContinue || bridged?.body?.asked() === true) && !left;
  if (!incoming.complete && sends && bridged?.body?.isLeft() !== false) {
    bridged?.body?.letGo();
    await waitForEnd(incoming, bridged?.body?.bytes() ?? 0);
  }
  const early = !incoming.complete;
  options.complete?.(response.headers);
  const written = await writeResponse(response, outgoing, {
    bodyless: incoming.method === 'HEAD' || response.status === 204 || response.status === 304,
    close: early || closing(),
  });
  failure ??= written.failure;
  if (early && written.whole) {
    outgoing.flushHeaders();
    bridged?.body?.letGo();
    await lingerOver(incoming, options.linger);
  }
  if (!outgoing.destroyed)
    await new Promise<void>((resolve) => {
      outgoing.once('close', resolve);
      outgoing.end(resolve);
    });

  options.onServed?.({
    method: incoming.method ?? '',
    path: loggedPath(incoming.url ?? ''),
    status: outgoing.headersSent ? outgoing.statusCode : 0,
    headers: response.headers,
    received: bridged?.body?.bytes() ?? 0,
    sent: written.bytes,
    duration: performance.now() - began,
    whole: written.whole && outgoing.writableFinished,
    ...(failure === undefined || failure instanceof ClientGoneError ? {} : { failure }),
  });
  // The handler of a client that fell silent may still end its work; nobody reads its reply.
  const unread = await answering?.catch(() => undefined);
  if (unread !== response) await unread?.body?.cancel().catch(() => undefined);
}
