/** A request that HTTP or the Fetch standard does not let through to the handler; answered with `status` and the message. */
export class UnservableRequestError extends Error {
  override readonly name = 'UnservableRequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A reply for what never reached the handler, and for a handler that threw, which leaks nothing. */
export function plainReply(error: unknown): Response {
  const unservable = error instanceof UnservableRequestError;
  return new Response(unservable ? error.message : 'An internal error occurred.', {
    status: unservable ? error.status : 500,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

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
