import { answerRequest, isBodyless, RequestsInHand } from '../http/answer-request.ts';
import { Client } from '../http/client.ts';
import type { Answering } from '../http/sockets.ts';
import { toRuntime, type RuntimeReply } from './reply.ts';
import { fromRuntime, pathOf, type HandedRequest } from './request.ts';

/** Facts that a runtime gives about the connection of one request. */
export interface Delivery {
  /** Resolves when the client has the whole reply, rejects if it left before. Default: counts what the runtime read. */
  readonly delivered?: Promise<void>;
  /** Fires only when the client leaves. Default: only a failing body shows that. */
  readonly left?: AbortSignal;
  /** Called just before the runtime gets the end of the reply. */
  readonly ending?: () => void;
  /** True to read the rest of the body before the reply. Default: the runtime does that. */
  readonly takesRest?: boolean;
  /** Bytes up to which a reply with a known length is sent in one piece. Default: 0. */
  readonly gathered?: number;
}

/** The requests of a runtime with a Fetch API: Deno and Bun. */
export interface Answers extends Pick<RequestsInHand, 'running' | 'idle'> {
  /** Never rejects. */
  answer(given: Request, delivery: Delivery): Promise<Response>;
  /** Aborts every running request as if its client had left, even if its reply has not begun. */
  cut(): void;
}

/** Serves a runtime's requests with a Fetch handler. */
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

/** A running request. */
interface RequestInHand {
  /** Never rejects. */
  readonly response: Promise<Response>;
  readonly ended: Promise<void>;
  /** Aborts the reply, or sends one that fails at once. */
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
        // After a cut, the runtime may never settle `delivered`.
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
    // The reply cannot be sent: close the connection.
    ended: ended.catch(breakOff),
    cut() {
      client.leave();
      handed?.body?.fail();
      breakOff();
    },
  };
}

/** Makes a reply whose body fails, so that the runtime closes the connection. */
function brokenReply(): Response {
  return new Response(new ReadableStream({ start: (one) => one.error(new Error('The server stops')) }));
}
