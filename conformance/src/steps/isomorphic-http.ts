import type { fetch } from 'isomorphic-git';
import type { Context } from '../core/context.ts';

export type HttpClient = Parameters<typeof fetch>[0]['http'];

/**
 * An HTTP client for isomorphic-git that sends by the `fetch` of a case: isomorphic-git then reaches whatever the suite
 * reaches, and has a connection for each request where there are any.
 */
export function isomorphicHttp(send: Context['fetch']): HttpClient {
  return {
    async request({ url, method = 'GET', headers = {}, body }) {
      const init = { method, headers, ...(body === undefined ? {} : bodyOf(body)) };
      const response = await send(url, init);
      return {
        url,
        method,
        statusCode: response.status,
        statusMessage: response.statusText,
        headers: Object.fromEntries(response.headers),
        body: parts(response.body ?? []),
      };
    },
  };
}

/** As the client for Node does: what is there as a whole goes out with its length, all else part by part. */
function bodyOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): RequestInit {
  // isomorphic-git gives lists, whatever its types say.
  if (Symbol.iterator in body) return { body: Buffer.concat([...body]) };
  const iterator = body[Symbol.asyncIterator]();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(Uint8Array.from(value));
    },
  });
  const init: RequestInit & { duplex: 'half' } = { body: stream, duplex: 'half' };
  return init;
}

async function* parts(of: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* of;
}
