import type { Target } from '../core/target.ts';

/**
 * Sends each request over a connection of its own. A service may close one after any reply, and need not say so: some
 * do after a reply to a body that they did not read to its end (RFC 9112, section 9.6). The next request on it would be
 * lost, and a push must not be sent again by itself (RFC 9110, section 9.2.2). So a connection that breaks is a finding.
 */
export function ownConnections({
  fetch: send = fetch,
}: Pick<Target, 'fetch'>): (request: Request) => Promise<Response> {
  return async (request) => {
    request.headers.set('connection', 'close');
    return await send(request);
  };
}
