import { answerRequest, isBodyless, RequestsInHand } from '../http/answer-request.ts';
import { Client } from '../http/client.ts';
import type { Answering } from '../http/sockets.ts';
import { toRuntime, type RuntimeReply } from './reply.ts';
import { fromRuntime, pathOf, type HandedRequest } from './request.ts';

/** What a runtime tells of the connection of one request. */
export interface Delivery {
  /** Resolves when the client has the whole reply, rejects if it left before. Default: the taking of the reply counts. */
  readonly delivered?: Promise<void>;
  /** Fires when the client leaves, and never otherwise. Default: only bodies tell. */
  readonly left?: AbortSignal;
  /** Called just before the end of the reply is handed over. */
  readonly ending?: () => void;
  /** Whether the rest of the body must be taken in before the reply. Default: the runtime does. */
  readonly takesRest?: boolean;
  /** Bytes up to which a reply that tells its length is sent at once. Default: none is. */
  readonly gathered?: number;
}

/** The requests of a runtime that speaks Fetch by itself: Deno and Bun. */
export interface Answers extends Pick<RequestsInHand, 'running' | 'idle'> {
  /** Never rejects. */
  answer(given: Request, delivery: Delivery): Promise<Response>;
  /** Breaks off every reply in hand, also those that have not begun, as if their clients had left. */
  cut(): void;
}

/** Answers a runtime's requests with a Fetch handler. */
export function createAnswers(options: Answering): Answers {
  const inHand = new RequestsInHand();
  return {
    answer(given, delivery) {
      const { response, ended, cut } = takeRequest(given, delivery, options);
      inHand.add(ended, cut);
      return response;
    },
    running: inHand.running,
    idle: inHand.idle,
    cut: () => inHand.cutAll(),
  };
}

/** A request on its way. */
interface RequestInHand {
  /** Never rejects. */
  readonly response: Promise<Response>;
  readonly ended: Promise<void>;
  /** Breaks off the reply, or sends one that is broken from the start. */
  readonly cut: () => void;
}

function takeRequest(given: Request, delivery: Delivery, options: Answering): RequestInHand {
  const answered = Promise.withResolvers<Response>();
  const cutShort = Promise.withResolvers<void>();
  let handed: HandedRequest | undefined;
  let reply: RuntimeReply | undefined;
  const client = new Client(options, () => reply?.abandon());
  const leave = (): void => client.leave();
  delivery.left?.addEventListener('abort', leave, { once: true });
  delivery.delivered?.catch(leave);

  const ended = answerRequest(
    {
      method: given.method,
      path: pathOf(given),
      client,
      request() {
        handed = fromRuntime(given, client, options.fallbackHost, delivery.takesRest === true);
        return handed.request;
      },
      received: () => handed?.body?.bytes() ?? 0,
      async send(response) {
        await handed?.takeRest();
        const tooLate = client.left;
        const bodyless = tooLate || isBodyless(given.method, response.status);
        reply = await toRuntime(response, bodyless, delivery.ending ?? (() => undefined), delivery.gathered);
        if (client.left) reply.abandon();
        answered.resolve(reply.response);
        const { bytes, whole, failure } = await reply.sent;
        handed?.body?.letGo();
        // A runtime that was told to cut may not tell of the delivery any more.
        await Promise.race([delivery.delivered?.catch(() => undefined), cutShort.promise]);
        return { status: tooLate ? 0 : response.status, bytes, whole: whole && !client.left, failure };
      },
    },
    options,
  );
  const breakOff = (): void => {
    answered.resolve(brokenReply());
    cutShort.resolve();
  };
  return {
    response: answered.promise,
    // What cannot even be sent: nothing is left but to hang up.
    ended: ended.catch(breakOff),
    cut() {
      client.leave();
      handed?.body?.fail();
      breakOff();
    },
  };
}

/** A runtime closes the connection of a reply that fails. */
function brokenReply(): Response {
  return new Response(new ReadableStream({ start: (one) => one.error(new Error('The server stops')) }));
}
