import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodySource } from '../http/request-body.ts';
import { ClientGoneError } from '../http/plain-reply.ts';

/** The chunks of a Node request. */
export interface IncomingBody extends BodySource {
  /** True once the body was read. With `Expect: 100-continue`, the server has then sent `100 Continue`. */
  readonly asked: () => boolean;
}

/**
 * Reads the body of `incoming`, and pauses the socket between two reads. `continueOn`: the response that sends
 * `100 Continue`. It sends that only on the first read, so that a refusal that needs no body is sent instead (GIT-012).
 */
export function incomingBody(incoming: IncomingMessage, continueOn: ServerResponse | undefined): IncomingBody {
  let asked = false;
  let waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  /** The result of a read after the end of the body. */
  let end: Promise<undefined> | undefined;
  const onData = (chunk: Buffer): void => {
    incoming.pause();
    waiting?.resolve(chunk);
  };
  const finish = (): void => {
    if (end !== undefined) return;
    end = incoming.readableEnded ? Promise.resolve(undefined) : Promise.reject(new ClientGoneError());
    // No read may follow. Then the rejection must not count as unhandled.
    end.catch(() => undefined);
    waiting?.resolve(end);
  };
  const ask = (): void => {
    asked = true;
    if (continueOn !== undefined && !continueOn.headersSent) continueOn.writeContinue();
    incoming.on('data', onData);
    for (const event of ['end', 'error', 'close']) incoming.once(event, finish);
    if (incoming.destroyed) finish();
  };
  return {
    asked: () => asked,
    read() {
      if (!asked) ask();
      if (end !== undefined) return end;
      waiting = Promise.withResolvers();
      incoming.resume();
      return waiting.promise;
    },
    /** Stops reading from the socket and pausing it, so that other code can take it over. */
    cancel() {
      incoming.off('data', onData);
      waiting?.resolve(undefined);
      return undefined;
    },
  };
}
