import type { Target } from '../core/target.ts';

/**
 * Sends each request over a new connection. A service may close a connection after any reply without notice. Some do so
 * after a reply to a body that they did not read to its end (RFC 9112, section 9.6). The next request on that
 * connection would be lost, and a client must not retry a push by itself (RFC 9110, section 9.2.2). So a broken
 * connection is a finding.
 */
export function ownConnections({
  fetch: send = fetch,
}: Pick<Target, 'fetch'>): (request: Request) => Promise<Response> {
  return async (request) => {
    request.headers.set('connection', 'close');
    return await send(request);
  };
}
