/** What the body of a request fails with when the client goes away half-way. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('The client closed the connection before the request was complete');
  }
}
