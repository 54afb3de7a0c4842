import {
  bodyIdleDefault,
  ClientGoneError,
  plainReply,
  silentReply,
  UnservableRequestError,
} from '../http/plain-reply.ts';
import type { Answering } from '../http/sockets.ts';
import { toRuntime, type RuntimeReply } from './reply.ts';
import { fromRuntime, pathOf, type HandedRequest } from './request.ts';
import type { BodyWatch } from './request-body.ts';

/** What a runtime tells of the connection of one request. */
export interface Delivery {
  /** Resolves when the client has the whole reply, rejects if it left before. Default: the taking of the reply counts. */
  readonly delivered?: Promise<void>;
  /** Fires when the client leaves, and never otherwise. Default: only bodies tell. */
  readonly left?: AbortSignal;
  /** Called just before the end of the reply is handed over. */
  readonly ending?: () => void;
  /** Bytes up to which a reply that tells its length is sent at once. Default: none is. */
  readonly gathered?: number;
}

const nothing = (): void => undefined;

/** A request on its way. */
export interface RequestInHand {
  /** Never rejects. */
  readonly response: Promise<Response>;
  /** Resolves when the reply has been taken, or nobody will take it, and the log was told. */
  readonly ended: Promise<void>;
  /** Breaks off the reply, or sends one that is broken from the start. */
  readonly cut: () => void;
}

/** Has a request answered by the handler, as {@link Answering} says. */
export function takeRequest(given: Request, delivery: Delivery, options: Answering): RequestInHand {
  const began = performance.now();
  const cutShort = Promise.withResolvers<Response>();
  let left = false;
  let aborting: AbortController | undefined;
  let reply: RuntimeReply | undefined;
  let aborted = false;
  const abort = (): void => {
    aborted = true;
    aborting?.abort(new ClientGoneError());
  };
  const gone = (): void => {
    left = true;
    abort();
    reply?.abandon();
  };
  const signal = (): AbortSignal => {
    aborting ??= new AbortController();
    if (aborted) aborting.abort(new ClientGoneError());
    return aborting.signal;
  };
  const silent = Promise.withResolvers<Response>();
  const onSilent = (): void => {
    abort();
    silent.resolve(silentReply());
  };
  delivery.left?.addEventListener('abort', gone, { once: true });
  delivery.delivered?.catch(gone);

  let handed: HandedRequest | undefined;
  let handling: Promise<Response> | undefined;
  const answering = async (): Promise<{ response: Response; tooLate: boolean; failure: unknown }> => {
    let response: Response;
    let failure: unknown;
    try {
      const watch: BodyWatch = {
        gone,
        onSilent,
        idle: options.bodyIdle ?? bodyIdleDefault,
        received: options.received,
      };
      handed = fromRuntime(given, { signal, watch, fallbackHost: options.fallbackHost });
      handling = options.handler(handed.request);
      response = await Promise.race([handling, silent.promise]);
    } catch (error) {
      if (!(error instanceof UnservableRequestError)) failure = error;
      response = plainReply(error);
    }
    options.complete?.(response.headers);
    const tooLate = left;
    const bodyless = given.method === 'HEAD' || response.status === 204 || response.status === 304;
    reply = await toRuntime(response, bodyless || tooLate, delivery.ending ?? nothing, delivery.gathered);
    if (left) reply.abandon();
    return { response, tooLate, failure };
  };
  const answered = answering();

  const end = async (): Promise<void> => {
    const { response, tooLate, failure } = await answered;
    const sent = await reply?.sent;
    handed?.body?.letGo();
    // A runtime that was told to cut may not tell of the delivery any more.
    await Promise.race([delivery.delivered?.catch(() => undefined), cutShort.promise]);
    const thrown = failure ?? sent?.failure;
    options.onServed?.({
      method: given.method,
      path: pathOf(given),
      status: tooLate ? 0 : response.status,
      headers: response.headers,
      received: handed?.body?.bytes() ?? 0,
      sent: sent?.bytes ?? 0,
      duration: performance.now() - began,
      whole: sent?.whole === true && !left,
      ...(thrown === undefined || thrown instanceof ClientGoneError ? {} : { failure: thrown }),
    });
    // The handler of a client that fell silent may still end its work; nobody reads its reply.
    const unread = await handling?.catch(() => undefined);
    if (unread !== response) await unread?.body?.cancel().catch(() => undefined);
  };
  return {
    response: Promise.race([answered.then(() => (reply as RuntimeReply).response), cutShort.promise]),
    ended: end(),
    cut(): void {
      gone();
      handed?.body?.fail();
      cutShort.resolve(brokenReply());
    },
  };
}

/** A runtime closes the connection of a reply that fails. */
function brokenReply(): Response {
  return new Response(new ReadableStream({ start: (one) => one.error(new Error('The server stops')) }));
}
