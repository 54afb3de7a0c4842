import type { IncomingMessage, ServerResponse } from 'node:http';
import { ClientGoneError } from '../http/plain-reply.ts';

/** The body of a request as a stream, and what became of it. */
export interface RequestBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Whether anyone has asked for bytes; with `Expect: 100-continue` the client has then been told to send them. */
  readonly asked: () => boolean;
  /** True once the handler has read or cancelled the body, or if it never asked for it. */
  readonly isLeft: () => boolean;
  /** Bytes handed on so far. */
  readonly bytes: () => number;
  /**
   * Leaves the socket to others, whatever its reader did: nothing pauses it or takes from it any more. Who still reads
   * gets an error.
   */
  readonly letGo: () => void;
}

/** Watches what arrives of a body, and what {@link requestBody} does with a client that sends nothing. */
export interface Silence {
  /** Milliseconds that a read may wait for bytes. */
  readonly limit: number;
  /** Takes the bytes of each chunk. */
  readonly received?: ((bytes: number) => void) | undefined;
  /** Called just before the body fails. */
  readonly onSilent: () => void;
}

/**
 * The body of `incoming` as a stream that holds at most one chunk: the socket is paused while nobody reads, so a
 * push of any size needs no memory here. `continueOn`: the response to send `100 Continue` on, not before the first
 * byte is asked for, so that a refusal that needs no body is sent in its place (GIT-012).
 * Fails with {@link ClientGoneError} if the client goes away, or falls silent, before the body is complete.
 */
export function requestBody(
  incoming: IncomingMessage,
  continueOn: ServerResponse | undefined,
  silence: Silence,
): RequestBody {
  let asked = false;
  let bytes = 0;
  let settled = false;
  /** Ends the `pull` that waits for a chunk. */
  let wake: (() => void) | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  const finish = (error: Error | undefined): void => {
    if (!settled) {
      settled = true;
      if (error === undefined) controller?.close();
      else controller?.error(error);
    }
    wake?.();
  };
  const fallSilent = (): void => {
    silence.onSilent();
    finish(new ClientGoneError());
  };
  const onData = (chunk: Buffer): void => {
    if (settled) return;
    bytes += chunk.byteLength;
    silence.received?.(chunk.byteLength);
    incoming.pause();
    controller?.enqueue(chunk);
    wake?.();
  };
  const ask = (): void => {
    asked = true;
    if (continueOn !== undefined && !continueOn.headersSent) continueOn.writeContinue();
    incoming.on('data', onData);
    incoming.once('end', () => finish(undefined));
    incoming.once('error', () => finish(new ClientGoneError()));
    incoming.once('close', () => finish(new ClientGoneError()));
    if (incoming.destroyed) finish(incoming.readableEnded ? undefined : new ClientGoneError());
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start(given): void {
        controller = given;
      },
      pull(): Promise<void> | undefined {
        if (!asked) ask();
        if (settled) return undefined;
        const chunk = new Promise<void>((resolve) => {
          const timer = setTimeout(fallSilent, silence.limit);
          timer.unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        incoming.resume();
        return chunk;
      },
      cancel(): void {
        settled = true;
        wake?.();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    asked: () => asked,
    isLeft: () => settled || (!asked && !stream.locked),
    bytes: () => bytes,
    letGo(): void {
      incoming.off('data', onData);
      finish(new Error('The request was answered'));
    },
  };
}
