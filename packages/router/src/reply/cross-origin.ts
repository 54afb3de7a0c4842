/** Facts that browsers learn about one area of the service (GIT-019, REPO-301). */
export interface CrossOrigin {
  /** Methods of requests. */
  readonly methods: string;
  /** Names of request headers. */
  readonly allowed: string;
  /** Names of response headers that a page can read. */
  readonly exposed: string;
  /** Further headers of the response to a preflight. */
  readonly preflight?: Readonly<Record<string, string>>;
}

/** Makes the facts for REST and tags. `requestIdHeader`: the name of the dialect. */
export function apiCrossOrigin(requestIdHeader: string): CrossOrigin {
  return {
    methods: 'GET, HEAD, POST, PUT, PATCH, DELETE',
    allowed: 'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
    exposed: `Allow, Content-Disposition, ETag, Retry-After, WWW-Authenticate, ${requestIdHeader}`,
  };
}

/** Returns the response to a CORS preflight from a listed origin; undefined for any other request. */
export function preflight(
  request: Request,
  origins: readonly string[],
  { methods, allowed, preflight: headers }: CrossOrigin,
): Response | undefined {
  const origin = request.headers.get('origin');
  const isPreflight = request.method === 'OPTIONS' && request.headers.has('access-control-request-method');
  if (!isPreflight || origin === null || !origins.includes(origin)) return undefined;
  return new Response(null, {
    status: 204,
    headers: {
      ...headers,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': allowed,
      'access-control-max-age': '600',
    },
  });
}

/**
 * Adds the CORS headers that let a page read the response, if its origin is listed. An empty list adds no headers. The
 * headers of `response` must be mutable.
 */
export function crossOrigin(
  request: Request,
  response: Response,
  origins: readonly string[],
  { exposed }: CrossOrigin,
): Response {
  if (origins.length === 0) return response;
  response.headers.append('vary', 'Origin');
  const origin = request.headers.get('origin');
  if (origin === null || !origins.includes(origin)) return response;
  response.headers.set('access-control-allow-origin', origin);
  response.headers.set('access-control-expose-headers', exposed);
  return response;
}
