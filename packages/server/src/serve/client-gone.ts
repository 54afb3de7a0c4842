import { plainReply, UnservableRequestError } from './plain-reply.ts';

/** Milliseconds that a request body may be silent, by default (LIM-020). */
export const bodyIdleDefault = 60_000;

/** The reply to a client whose request body stopped arriving. */
export function silentReply(): Response {
  const reply = plainReply(new UnservableRequestError(408, 'The request body stopped arriving.'));
  // The rest of the body may still come, so an HTTP/1.1 connection serves nothing else.
  reply.headers.set('connection', 'close');
  return reply;
}

/** The error of a request body whose client went away, or fell silent, before the end. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('The client closed the connection before the request was complete');
  }
}
