import type { IncomingMessage, ServerResponse } from 'node:http';
import { createListener } from './listener.ts';

/** Handles a request of Node's HTTP server. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Makes a Fetch handler the handler of any Node server: `http.createServer(handler)`, or Express. Bodies stream both
 * ways, so no other code may read a body before it. It answers every request that it gets. Set `requestTimeout` of the
 * server to 0, since Node would cut a push after five minutes.
 *
 * @throws {TypeError} if `fetch` is not a function.
 * @example
 * import { createServer } from 'node:http';
 * import { openHost } from '@packhouse/server';
 * import { nodeHandler } from '@packhouse/server/node';
 *
 * const { fetch } = await openHost({ data: './packhouse-data' });
 * createServer({ requestTimeout: 0 }, nodeHandler(fetch)).listen(8787, '127.0.0.1');
 */
export function nodeHandler(fetch: (request: Request) => Promise<Response>): NodeHandler {
  if (typeof fetch !== 'function') throw new TypeError('nodeHandler needs a function such as `fetch` of packhouse()');
  const listener = createListener({ handler: fetch, fallbackHost: 'localhost' });
  return (incoming, outgoing) => listener.serve(incoming, outgoing);
}
