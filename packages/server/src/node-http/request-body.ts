import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodySource } from '../http/request-body.ts';
import { ClientGoneError } from '../http/plain-reply.ts';

/** The chunks of a Node request. */
export interface IncomingBody extends BodySource {
  /** Whether bytes were asked for; with `Expect: 100-continue` the client has then been told to send them. */
  readonly asked: () => boolean;
}

/**
 * Reads the body of `incoming`, and pauses the socket between two reads. `continueOn`: the response to send
 * `100 Continue` on, not before the first byte is asked for, so that a refusal that needs no body is sent in its place
 * (GIT-012).
 */
export function incomingBody(incoming: IncomingMessage, continueOn: ServerResponse | undefined): IncomingBody {
  let asked = false;
  let waiting: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  /** How the body ended, as a read tells it. */
  let end: Promise<undefined> | undefined;
  const onData = (chunk: Buffer): void => {
    incoming.pause();
    waiting?.resolve(chunk);
  };
  const finish = (): void => {
    if (end !== undefined) return;
    end = incoming.readableEnded ? Promise.resolve(undefined) : Promise.reject(new ClientGoneError());
    // A read may never ask for it.
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
    /** Leaves the socket to others: nothing pauses it or takes from it any more. */
    cancel() {
      incoming.off('data', onData);
      waiting?.resolve(undefined);
      return undefined;
    },
  };
}
