import type { Client } from './client.ts';
import { ClientGoneError } from './plain-reply.ts';

/** The source of the chunks of a request body. */
export interface BodySource {
  /** Reads the next chunk. Resolves with undefined at the end. Rejects if the client disconnected. */
  read(): Promise<Uint8Array | undefined>;
  /** Returns the unread rest to the runtime, and settles a pending read. A no-op before the first read. */
  cancel(reason?: unknown): Promise<void> | undefined;
}

/** The body of a request as the handler gets it. */
export interface RequestBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes that the stream has delivered so far. */
  readonly bytes: () => number;
  /** True once the body has been read to its end, cancelled, or failed. */
  readonly isSettled: () => boolean;
  /** Fails the body as if the client had disconnected. */
  readonly fail: () => void;
  /** Releases the rest once the request has been answered. A handler that still reads gets an error. */
  readonly letGo: () => void;
}

/**
 * Streams a body one chunk at a time, so that a push of any size needs no memory here, and counts its bytes. Fails with
 * {@link ClientGoneError} if the client disconnects or falls silent (LIM-020) before the body is complete.
 */
export function requestBody(source: BodySource, client: Client): RequestBody {
  let bytes = 0;
  let settled = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const settle = (end: (open: ReadableStreamDefaultController<Uint8Array> | undefined) => void): void => {
    if (!settled) end(controller);
    settled = true;
  };
  const fail = (): void => settle((open) => open?.error(new ClientGoneError()));
  const fallSilent = (): void => {
    client.fallSilent();
    fail();
    void source.cancel();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own): void {
        controller = own;
      },
      async pull(own): Promise<void> {
        const timer = setTimeout(fallSilent, client.bodyIdle);
        timer.unref();
        try {
          const chunk = await source.read();
          if (chunk === undefined) settle(() => own.close());
          if (chunk === undefined || settled) return;
          bytes += chunk.byteLength;
          own.enqueue(chunk);
          client.received?.(chunk.byteLength);
        } catch {
          client.leave();
          fail();
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel(reason): Promise<void> {
        settled = true;
        await source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    bytes: () => bytes,
    isSettled: () => settled,
    fail,
    letGo(): void {
      if (settled) return;
      settle((open) => open?.error(new Error('The request was answered')));
      void source.cancel();
    },
  };
}
