import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerRequest, isBodyless, RequestsInHand } from '../http/answer-request.ts';
import { Client } from '../http/client.ts';
import { requestBody, type RequestBody } from '../http/request-body.ts';
import { loggedPath } from '../http/request-target.ts';
import type { Answering } from '../http/sockets.ts';
import type { LingerLimits } from '../http/linger-limits.ts';
import { lingerOver, waitForEnd } from './early-reply.ts';
import { Pipelines } from './pipeline.ts';
import { refuseUnparsed } from './refuse-unparsed.ts';
import { incomingBody } from './request-body.ts';
import { fromIncoming, targetOf } from './request.ts';
import { writeResponse } from './response.ts';

export interface ListenerOptions extends Answering {
  readonly linger?: LingerLimits;
}

/** The listener of a Node HTTP server, and its running requests. */
export interface Listener {
  /** Handles the event `request` and, with `expectsContinue`, the event `checkContinue`. */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue?: boolean) => void;
  /** Handles the event `clientError`: Node could not parse a request. */
  readonly refuse: (error: Error, socket: Duplex) => void;
  /** Makes every later reply close its connection. */
  readonly closeConnections: () => void;
  /** Resolves when no request is running. */
  readonly idle: () => Promise<void>;
  readonly running: () => number;
}

/** Serves Node's HTTP requests with a Fetch handler. `docs/decisions` says why we use no library for this. */
export function createListener(options: ListenerOptions): Listener {
  const inHand = new RequestsInHand();
  const pipelines = new Pipelines();
  /** The current reply of each connection. */
  const replies = new WeakMap<Duplex, ServerResponse>();
  let closing = false;

  const serve = (incoming: IncomingMessage, outgoing: ServerResponse, expectsContinue = false): void => {
    const answer = async (): Promise<void> => {
      replies.set(incoming.socket, outgoing);
      try {
        await serveOne(incoming, outgoing, expectsContinue, options, () => closing);
      } catch {
        // The reply cannot be written, for example because Node rejects a header: close the connection.
        outgoing.destroy();
      }
    };
    inHand.add(pipelines.enter(incoming, answer));
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
    idle: inHand.idle,
    running: inHand.running,
  };
}

async function serveOne(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  expectsContinue: boolean,
  options: ListenerOptions,
  closing: () => boolean,
): Promise<void> {
  const client = new Client(options);
  // `close` reports a broken socket. Without a listener, `error` would end the process.
  incoming.on('error', () => undefined);
  outgoing.on('error', () => undefined);
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) client.leave();
  });
  const source = incomingBody(incoming, expectsContinue ? outgoing : undefined);
  let body: RequestBody | undefined;

  await answerRequest(
    {
      method: incoming.method ?? '',
      path: loggedPath(targetOf(incoming)),
      client,
      request() {
        const request = fromIncoming(incoming, options.fallbackHost, () => {
          body = requestBody(source, client);
          return body.stream;
        });
        client.signalOn(request);
        return request;
      },
      received: () => body?.bytes() ?? 0,
      async send(response) {
        // A body that arrived with its header is complete once Node has read the rest of the socket's data.
        if (!incoming.complete && !expectsContinue) await new Promise((resolve) => setImmediate(resolve));
        // A client that still waits for `100 Continue`, or fell silent, sends no body.
        const sends = (!expectsContinue || source.asked()) && !client.isGone;
        // The handler has read or cancelled the body, or never read it.
        const isLeft = body === undefined || body.isSettled() || (!source.asked() && !body.stream.locked);
        if (!incoming.complete && sends && isLeft) {
          body?.letGo();
          await waitForEnd(incoming, body?.bytes() ?? 0);
        }
        const early = !incoming.complete;
        const { bytes, whole, failure } = await writeResponse(response, outgoing, {
          bodyless: isBodyless(incoming.method ?? '', response.status),
          close: early || closing(),
        });
        if (early && whole) {
          outgoing.flushHeaders();
          body?.letGo();
          await lingerOver(incoming, options.linger);
        }
        if (!outgoing.destroyed)
          await new Promise<void>((resolve) => {
            outgoing.once('close', resolve);
            outgoing.end(resolve);
          });
        const status = outgoing.headersSent ? outgoing.statusCode : 0;
        return { status, bytes, whole: whole && outgoing.writableFinished, failure };
      },
    },
    options,
  );
}
