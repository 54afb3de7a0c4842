import { isResponse } from './own-response.ts';
import type { Bytes } from './relay.ts';

/** A response with a body that may break off, and that can be read without changing what is sent. */
export type Watchable = Response & { readonly body: ReadableStream<Bytes> };

/** Tests if a response is watchable. The order of the checks ensures that none of them changes another response. */
export const isWatchable = (request: Request, response: Response): response is Watchable =>
  request.method !== 'HEAD' &&
  // A handler for Bun returns undefined after an upgrade.
  typeof response === 'object' &&
  response !== null &&
  !isKeptByNode(response) &&
  !isKeptByBun(response) &&
  isResponse(response) &&
  // Excludes failed fetches and protocol changes.
  response.status >= 200 &&
  !('webSocket' in response && response.webSocket) &&
  // The app has encoded it, or the runtime will.
  !response.headers.has('content-encoding') &&
  response.body !== null &&
  !response.bodyUsed &&
  !response.body.locked;

/**
 * Tests if a response of Hono's server for Node has its body in memory, so that it cannot break off. Reading its
 * headers or body would make it slower and change its content type.
 */
const isKeptByNode = (response: Response): boolean => {
  const cache = Object.getOwnPropertySymbols(response).find(({ description }) => description === 'cache');
  const kept: unknown = cache && Reflect.get(response, cache);
  const body: unknown = Array.isArray(kept) ? kept[1] : undefined;
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
};

/**
 * Tests if a response of Bun has a text, bytes or a file. Bun adds type, length and range itself, but only until the
 * body is accessed. Only the printed form of the response reveals this without access.
 */
const isKeptByBun = (response: Response): boolean => {
  const { Bun } = globalThis as { readonly Bun?: { readonly inspect: (value: unknown) => string } };
  return Bun !== undefined && /^ {2}(?!ReadableStream )[A-Z]/m.test(Bun.inspect(response));
};

/**
 * Tests if a body belongs to workerd itself: bytes in memory, a body of `fetch` or of R2. workerd sends these with
 * their known length and without running scripts. An app's streams cannot be read into a buffer, unless declared as
 * byte streams.
 */
export const isOfWorkerd = async (body: ReadableStream): Promise<boolean> => {
  if (!('FixedLengthStream' in globalThis)) return false;
  let reader: ReadableStreamBYOBReader | undefined;
  try {
    reader = body.getReader({ mode: 'byob' });
    // Every broken stream returns such a reader, and rejects `closed` a moment later.
    await Promise.race([reader.closed, Promise.resolve().then(() => undefined)]);
    return true;
  } catch {
    return false;
  } finally {
    reader?.releaseLock();
  }
};
