import { isResponse } from './own-response.ts';
import type { Bytes } from './relay.ts';

/** A response with a body that may break off, and that can be read without a change to what is sent. */
export type Watchable = Response & { readonly body: ReadableStream<Bytes> };

/** Whether a response is one. Looks at its members in an order that changes none that is not. */
export const isWatchable = (request: Request, response: Response): response is Watchable =>
  request.method !== 'HEAD' &&
  !isAtHand(response) &&
  isResponse(response) &&
  // Not a failed fetch, nor one that changes the protocol.
  response.status >= 200 &&
  !('webSocket' in response && response.webSocket) &&
  // It was encoded by the app, or will be by the runtime.
  !response.headers.has('content-encoding') &&
  // Bun gives a type to a text that has none, and only as long as nobody looked at its body.
  (response.headers.has('content-type') || !('Bun' in globalThis)) &&
  response.body !== null &&
  !response.bodyUsed &&
  !response.body.locked;

/**
 * Whether a response is one of Hono's server for Node whose body is at hand, so that it cannot break off. As soon as
 * its headers or its body are looked at, it becomes slower, and its content type another one.
 */
const isAtHand = (response: Response): boolean => {
  // A handler for Bun answers with nothing after an upgrade.
  if (typeof response !== 'object' || response === null) return false;
  const cache = Object.getOwnPropertySymbols(response).find(({ description }) => description === 'cache');
  const kept: unknown = cache && Reflect.get(response, cache);
  const body: unknown = Array.isArray(kept) ? kept[1] : undefined;
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
};
