import type { ServerResponse } from 'node:http';
import { borrowChunks } from '@packhouse/git';
import type { SentReply } from '../http/answer-request.ts';
import { ReplyBody } from '../http/reply-body.ts';

/**
 * Writes a Fetch `Response` to Node's response, with backpressure: it reads the next chunk when the socket has room. A
 * body of one chunk is sent with its length. Resolves when everything has been written to the socket. The caller ends
 * the response, since it may still have to read a request body.
 *
 * If the body fails half-way, closes the connection, because nothing else can tell the client. If the client leaves,
 * waits until the producer of the body has ended.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  options: { readonly bodyless: boolean; readonly close: boolean },
): Promise<SentReply> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  if (options.close) outgoing.setHeader('connection', 'close');

  if (options.bodyless) {
    await response.body?.cancel().catch(() => undefined);
    return { bytes: 0, whole: true };
  }
  if (response.body === null) {
    outgoing.setHeader('content-length', 0);
    return { bytes: 0, whole: true };
  }
  return await pump(response.body, outgoing);
}

async function pump(stream: ReadableStream<Uint8Array<ArrayBuffer>>, outgoing: ServerResponse): Promise<SentReply> {
  const body = new ReplyBody(stream);
  let bytes = 0;
  const onClose = (): void => void body.abandon();
  outgoing.once('close', onClose);
  if (outgoing.destroyed) onClose();

  try {
    const only = outgoing.hasHeader('content-length') ? undefined : await body.only();
    if (only !== undefined) outgoing.setHeader('content-length', only.byteLength);
    for (;;) {
      // What `only` has read ahead is not lent.
      const isLent = !body.hasReadAhead && borrowChunks(stream);
      const step = await body.next();
      if (outgoing.destroyed) return { bytes, whole: false };
      if (step.done) return { bytes, whole: true };
      if (step.value.byteLength === 0) continue;
      bytes += step.value.byteLength;
      if (isLent) await written(outgoing, step.value);
      else if (!outgoing.write(step.value)) await room(outgoing);
    }
  } catch (failure) {
    outgoing.destroy();
    return { bytes, whole: false, failure };
  } finally {
    outgoing.off('close', onClose);
    if (outgoing.destroyed) await body.abandon();
  }
}

/** Writes a lent chunk. Resolves when the kernel has taken it, or the socket is closed. */
async function written(outgoing: ServerResponse, chunk: Uint8Array): Promise<void> {
  if (outgoing.destroyed) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      outgoing.off('close', settle);
      resolve();
    };
    outgoing.once('close', settle);
    outgoing.write(chunk, settle);
  });
}

/** Resolves when the socket has room again, or is closed. */
async function room(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return;
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle);
      outgoing.off('close', settle);
      resolve();
    };
    outgoing.once('drain', settle);
    outgoing.once('close', settle);
  });
}
