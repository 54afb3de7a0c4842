/** A request that HTTP or the Fetch standard does not allow. The reply has `status` and the message of the error. */
export class UnservableRequestError extends Error {
  override readonly name = 'UnservableRequestError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Makes the reply to a request that did not reach the handler, or whose handler threw. Shows no internal error text.
 */
export function plainReply(error: unknown): Response {
  const unservable = error instanceof UnservableRequestError;
  return new Response(unservable ? error.message : 'An internal error occurred.', {
    status: unservable ? error.status : 500,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

/** Makes the reply to a client whose request body stopped arriving. */
export function silentReply(): Response {
  const reply = plainReply(new UnservableRequestError(408, 'The request body stopped arriving.'));
  // The rest of the body may still arrive, so the HTTP/1.1 connection cannot serve another request.
  reply.headers.set('connection', 'close');
  return reply;
}

/** The error of a request body whose client disconnected or fell silent before the end. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('The client closed the connection before the request was complete');
  }
}
