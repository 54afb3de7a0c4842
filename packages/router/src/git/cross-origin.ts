import { uncached } from './replies.ts';

/** Git clients in browsers, from origins that the deployment lists (GIT-019). An empty list: no such headers at all. */

/** The answer to a preflight; undefined if the request is none, or comes from elsewhere. */
export function preflight(request: Request, origins: readonly string[]): Response | undefined {
  const origin = request.headers.get('origin');
  const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
  if (!isPreflight || origin === null || !origins.includes(origin)) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      ...uncached,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'Authorization, Content-Type, Git-Protocol',
      'access-control-max-age': '600',
    },
  });
}

/** The response with what lets a listed origin read it. */
export function crossOrigin(request: Request, response: Response, origins: readonly string[]): Response {
  if (origins.length === 0) return response;
  response.headers.append('vary', 'Origin');
  const origin = request.headers.get('origin');
  if (origin === null || !origins.includes(origin)) return response;
  response.headers.set('access-control-allow-origin', origin);
  response.headers.set('access-control-expose-headers', 'Content-Type');
  return response;
}
