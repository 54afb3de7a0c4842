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
