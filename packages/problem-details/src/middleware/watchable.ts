import { isResponse } from './own-response.ts';
import type { Bytes } from './relay.ts';

/** A response with a body that may break off, and that can be read without a change to what is sent. */
export type Watchable = Response & { readonly body: ReadableStream<Bytes> };

/** Whether a response is one. Looks at its members in an order that changes none that is not. */
export const isWatchable = (request: Request, response: Response): response is Watchable =>
  request.method !== 'HEAD' &&
  // A handler for Bun answers with nothing after an upgrade.
  typeof response === 'object' &&
  response !== null &&
  !isKeptByNode(response) &&
  !isKeptByBun(response) &&
  isResponse(response) &&
  // Not a failed fetch, nor one that changes the protocol.
  response.status >= 200 &&
  !('webSocket' in response && response.webSocket) &&
  // It was encoded by the app, or will be by the runtime.
  !response.headers.has('content-encoding') &&
  response.body !== null &&
  !response.bodyUsed &&
  !response.body.locked;

/**
 * Whether a response is one of Hono's server for Node whose body is at hand, so that it cannot break off. As soon as
 * its headers or its body are looked at, it becomes slower, and its content type another one.
 */
const isKeptByNode = (response: Response): boolean => {
  const cache = Object.getOwnPropertySymbols(response).find(({ description }) => description === 'cache');
  const kept: unknown = cache && Reflect.get(response, cache);
  const body: unknown = Array.isArray(kept) ? kept[1] : undefined;
  return body === null || typeof body === 'string' || body instanceof Uint8Array;
};

/**
 * Whether a response of Bun has a text, bytes or a file. Bun sends those with a type, a length and a range of its own,
 * but only as long as nobody looks at the body; what it prints of a response is all that tells before.
 */
const isKeptByBun = (response: Response): boolean => {
  const { Bun } = globalThis as { readonly Bun?: { readonly inspect: (value: unknown) => string } };
  return Bun !== undefined && /^ {2}(?!ReadableStream )[A-Z]/m.test(Bun.inspect(response));
};

/**
 * Whether a body is one of workerd itself: of bytes at hand, of `fetch`, of R2. workerd sends those with the length that
 * it knows of them, and without running any script. Streams of an app cannot be read into a buffer, unless they say so.
 */
export const isOfWorkerd = async (body: ReadableStream): Promise<boolean> => {
  if (!('FixedLengthStream' in globalThis)) return false;
  let reader: ReadableStreamBYOBReader | undefined;
  try {
    reader = body.getReader({ mode: 'byob' });
    // Any stream that is broken gives such a reader; it tells so a moment later.
    await Promise.race([reader.closed, Promise.resolve().then(() => undefined)]);
    return true;
  } catch {
    return false;
  } finally {
    reader?.releaseLock();
  }
};
