import type { fetch } from 'isomorphic-git';
import type { Context, TestRepo } from '../core/context.ts';

export type HttpClient = Parameters<typeof fetch>[0]['http'];

/** The options of every call of isomorphic-git to a service. */
export interface IsomorphicAccess {
  readonly http: HttpClient;
  readonly url: string;
  readonly onAuth: () => { username: string; password: string };
}

/** Returns the options for a repo: Basic with user `x` and the secret as password. */
export function isomorphicAccess(repo: TestRepo): IsomorphicAccess {
  const [password = ''] = repo.token.split('?');
  return { http: isomorphicHttp(repo.fetch), url: repo.remote, onAuth: () => ({ username: 'x', password }) };
}

/**
 * Returns an HTTP client for isomorphic-git that uses the `fetch` of a case. So isomorphic-git reaches every target of
 * the suite, and opens one connection per request where there are connections.
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

/** Like the client for Node, sends a complete body with its length, and any other body in chunks. */
function bodyOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): RequestInit {
  // isomorphic-git passes lists, contrary to its types.
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
