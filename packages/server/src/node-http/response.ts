import type { ServerResponse } from 'node:http';

/** What became of a response body. */
export interface WrittenResponse {
  /** Bytes of the body handed to the socket. */
  readonly bytes: number;
  /** False if the client went away or the body failed. */
  readonly whole: boolean;
  /** What the body failed with. */
  readonly failure?: unknown;
}

/**
 * Writes a Fetch `Response` to Node's, with backpressure: the next chunk is asked for when the socket has room.
 * A body that turns out to be one chunk is sent with its length. Resolves when all is handed to the socket but the
 * end, which is left to the caller: there may still be a request body to take in.
 *
 * If the body fails half-way the connection is cut, the only way left to tell the client. If the client leaves, this
 * waits until the producer of the body has ended.
 */
export async function writeResponse(
  response: Response,
  outgoing: ServerResponse,
  options: { readonly bodyless: boolean; readonly close: boolean },
): Promise<WrittenResponse> {
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
  return await pump(response.body.getReader(), outgoing);
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
): Promise<WrittenResponse> {
  let bytes = 0;
  let ended: Promise<void> | undefined;
  /** Cancelling ends a read that is under way, so a client that is gone leaves no producer waiting. */
  const onClose = (): void => {
    ended ??= reader.cancel(new Error('The client closed the connection')).catch(() => undefined);
  };
  outgoing.once('close', onClose);
  if (outgoing.destroyed) onClose();

  try {
    let ahead: Promise<ReadableStreamReadResult<Uint8Array>> | undefined;
    for (;;) {
      const step = await (ahead ?? reader.read());
      ahead = undefined;
      if (outgoing.destroyed) return { bytes, whole: false };
      if (step.done) return { bytes, whole: true };
      const chunk = step.value;
      if (chunk.byteLength === 0) continue;
      bytes += chunk.byteLength;

      if (!outgoing.headersSent && !outgoing.hasHeader('content-length')) {
        ahead = reader.read();
        // Awaited in the next round; until then a failure must not count as unhandled.
        ahead.catch(() => undefined);
        if (await endsAtOnce(ahead)) outgoing.setHeader('content-length', chunk.byteLength);
      }
      if (!outgoing.write(chunk)) await room(outgoing);
    }
  } catch (failure) {
    outgoing.destroy();
    return { bytes, whole: false, failure };
  } finally {
    outgoing.off('close', onClose);
    if (outgoing.destroyed) onClose();
    await ended;
  }
}

/** Resolves when the socket takes more, or is gone. */
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

/** Whether the read that is under way says, without waiting for any I/O, that the body has ended. */
async function endsAtOnce(next: Promise<ReadableStreamReadResult<Uint8Array>>): Promise<boolean> {
  const soon = new Promise<false>((resolve) => {
    setImmediate(resolve, false);
  });
  return await Promise.race([
    next.then(
      (step) => step.done,
      () => false,
    ),
    soon,
  ]);
}
