import { ClientGoneError } from '../http/plain-reply.ts';

/** The body of a request as it is handed on, and what became of it. */
export interface HandedBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes handed on so far. */
  readonly bytes: () => number;
  /** Lets who reads it see the client leave. */
  readonly fail: () => void;
  /** Gives back what nobody will read, once the request is answered; the runtime then takes in or cuts the rest. */
  readonly letGo: () => void;
}

/** Options of {@link handedBody} for a client that leaves or sends nothing. */
export interface BodyWatch {
  /** Called just before the body fails because the client went away. */
  readonly gone: () => void;
  /** Called just before the body fails because a read waited too long. */
  readonly onSilent: () => void;
  /** Milliseconds that a read may wait for bytes. */
  readonly idle: number;
  /** Takes the bytes of each chunk that is handed on. */
  readonly received?: ((bytes: number) => void) | undefined;
}

/**
 * The body that a runtime gave, counted, one chunk at a time and none ahead. Fails with {@link ClientGoneError} if the
 * client goes away, or falls silent, before it is complete: each runtime has an error of its own for that.
 */
export function handedBody(given: ReadableStream<Uint8Array>, watch: BodyWatch): HandedBody {
  let bytes = 0;
  let settled = false;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const settle = (end: (open: ReadableStreamDefaultController<Uint8Array> | undefined) => void): void => {
    if (!settled) end(controller);
    settled = true;
  };
  const fallSilent = (): void => {
    watch.onSilent();
    settle((open) => open?.error(new ClientGoneError()));
    reader?.cancel().catch(() => undefined);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start(own): void {
        controller = own;
      },
      async pull(own): Promise<void> {
        reader ??= given.getReader();
        const timer = setTimeout(fallSilent, watch.idle);
        timer.unref();
        try {
          const step = await reader.read();
          if (step.done) settle(() => own.close());
          if (step.done || settled) return;
          bytes += step.value.byteLength;
          own.enqueue(step.value);
          watch.received?.(step.value.byteLength);
        } catch {
          watch.gone();
          settle(() => own.error(new ClientGoneError()));
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel(reason): Promise<void> {
        settled = true;
        // Only what was asked for is given back: the runtime itself takes in what nobody read.
        await reader?.cancel(reason).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    bytes: () => bytes,
    fail: () => settle((open) => open?.error(new ClientGoneError())),
    letGo(): void {
      if (settled) return;
      settle((open) => open?.error(new Error('The request was answered')));
      reader?.cancel().catch(() => undefined);
    },
  };
}
