import type { SentReply } from '../http/answer-request.ts';
import { ReplyBody, type Step } from '../http/reply-body.ts';

/** A reply for a runtime to send. `sent` settles when the runtime has read all of it. */
export interface RuntimeReply {
  readonly response: Response;
  readonly sent: Promise<SentReply>;
  /** Ends the body because its client has left. Not every runtime cancels the stream. */
  readonly abandon: () => void;
}

/**
 * Makes a service's response ready for a runtime. A body of one chunk gets its length. A longer body is read when the
 * runtime has room. A failing body makes the runtime close the connection.
 *
 * @param bodyless true for a reply to HEAD, or with a status without content.
 * @param ending called just before the runtime gets the end.
 * @param gathered bytes up to which a body with a known length is sent in one piece, for a runtime that sends a stream
 *   without its length. Default 0.
 */
export async function toRuntime(
  response: Response,
  bodyless: boolean,
  ending: () => void,
  gathered = 0,
): Promise<RuntimeReply> {
  const { status, statusText, headers, body: content } = response;
  const made = (all: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null): Response =>
    new Response(all, { status, statusText, headers });
  const atOnce = (whole: Response, bytes: number): RuntimeReply => {
    ending();
    return { response: whole, sent: Promise.resolve({ bytes, whole: true }), abandon: () => undefined };
  };
  if (bodyless) {
    await content?.cancel().catch(() => undefined);
    // Runtimes send a length of 0 if there is no body, which would be wrong for a HEAD. Bun also does that for an empty
    // stream, but keeps the length in the headers if there is no body.
    const lengthKnown = status === 204 || status === 304 || headers.has('content-length');
    const nothing = lengthKnown ? null : new ReadableStream({ pull: (one) => one.close() }, { highWaterMark: 0 });
    return atOnce(made(nothing), 0);
  }
  if (content === null) return atOnce(made(null), 0);

  const body = new ReplyBody(content);
  const only = await body.only();
  if (only !== undefined) return atOnce(made(only), only.byteLength);
  const told = Number(headers.get('content-length') ?? Infinity);
  let next = (): Promise<Step> => body.next();
  if (told <= gathered) {
    try {
      return atOnce(made(await gather(body, told)), told);
    } catch (failure) {
      await body.abandon();
      next = () => Promise.reject(failure as Error);
    }
  }
  const sent = Promise.withResolvers<SentReply>();
  let bytes = 0;
  let abandoned = false;
  const abandon = async (): Promise<void> => {
    abandoned = true;
    await body.abandon();
    // Only now, because a stop must wait until the producer has ended.
    sent.resolve({ bytes, whole: false });
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller): Promise<void> {
        let step: Step;
        try {
          do step = await next();
          while (step.value?.byteLength === 0);
        } catch (failure) {
          sent.resolve({ bytes, whole: false, failure });
          throw failure;
        }
        // The read was cancelled. It reports an end, but the body is incomplete.
        if (abandoned) throw new Error('The reply was broken off');
        if (step.done) {
          sent.resolve({ bytes, whole: true });
          ending();
          controller.close();
          return;
        }
        bytes += step.value.byteLength;
        controller.enqueue(step.value);
      },
      cancel: abandon,
    },
    { highWaterMark: 0 },
  );
  return { response: made(stream), sent: sent.promise, abandon: () => void abandon() };
}

/** Reads a whole body of `length` bytes. Rejects if the body is shorter or fails. */
async function gather(body: ReplyBody, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (let step = await body.next(); !step.done; step = await body.next()) {
    whole.set(step.value, at);
    at += step.value.byteLength;
  }
  if (at < length) throw new Error('The body ended before its length');
  return whole;
}
