import { uncached } from './replies.ts';

/** Returns the response to a CORS preflight from a listed origin (GIT-019); undefined for any other request. */
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

/**
 * Adds the CORS headers that let a Git client in a browser read the response, if its origin is listed (GIT-019). An
 * empty list adds no headers.
 */
export function crossOrigin(request: Request, response: Response, origins: readonly string[]): Response {
  if (origins.length === 0) return response;
  response.headers.append('vary', 'Origin');
  const origin = request.headers.get('origin');
  if (origin === null || !origins.includes(origin)) return response;
  response.headers.set('access-control-allow-origin', origin);
  response.headers.set('access-control-expose-headers', 'Content-Type');
  return response;
}
