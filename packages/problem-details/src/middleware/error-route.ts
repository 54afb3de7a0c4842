import type { Awaitable } from '../response/options.ts';
import type { ErrorDetails } from '../response/error-input.ts';
import type { PlatformErrors } from '../response/platform-errors.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';

const base = '/cdn-cgi/error';

/** A refusal by a limiter. */
export interface Limited {
  /** Seconds or a date to try again; default: that of the catalogue. */
  readonly retryAfter?: ErrorDetails['retryAfter'];
}

/** Options of the error route. */
export interface ErrorRouteOptions {
  /**
   * Refuses requests that come too often. Returns undefined if the request may pass, as it also may if the limiter
   * throws (ERR-099).
   */
  readonly limiter?: (request: Request) => Awaitable<Limited | undefined>;
}

/** Answers requests for the error route; returns undefined for other paths. */
export type ErrorRoute = (request: Request) => Promise<Response> | undefined;

/**
 * Makes the error route, `/cdn-cgi/error/{code}`, on every host (section 8). It shows the built-in response of a code.
 */
export const errorRoute = (errors: PlatformErrors, { limiter }: ErrorRouteOptions = {}): ErrorRoute => {
  const answer = async (request: Request, rest: string): Promise<Response> => {
    const limited = await askLimiter(request);
    if (limited !== undefined) return errors.builtIn(request, limited);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return errors.minimal(request, 405, 'This address answers to GET and HEAD only.', { Allow: 'GET, HEAD' });
    }
    const code = codeIn(rest);
    return code === undefined || errors.catalogue.get(code) === undefined
      ? errors.minimal(request, 404, 'There is no such error code.')
      : errors.builtIn(request, code);
  };
  const askLimiter = async (request: Request): Promise<ErrorDetails | undefined> => {
    try {
      const limited = await limiter?.(request);
      // An untyped limiter may return `null` or `false` instead of undefined.
      return limited ? { code: 1015, retryAfter: limited.retryAfter } : undefined;
    } catch (thrown) {
      errors.log({ event: 'fallback', ray_id: '', stage: 'limiter', message: describeThrown(thrown).message });
      return undefined;
    }
  };
  return (request) => {
    // Avoids parsing the URL of other requests. Deno keeps `\` and `.` in it.
    if (!request.url.includes('cdn-cgi')) return undefined;
    const { pathname } = new URL(request.url);
    if (pathname !== base && !pathname.startsWith(`${base}/`)) return undefined;
    return answer(request, pathname.slice(base.length + 1));
  };
};

/** Parses the code after the base path, which may end with one slash (ERR-095, ERR-096). */
const codeIn = (rest: string): number | undefined => {
  try {
    const text = decodeURIComponent(rest.replace(/\/$/, ''));
    return /^[1-9][0-9]{2,8}$/.test(text) ? Number(text) : undefined;
  } catch {
    // Malformed percent escapes.
    return undefined;
  }
};
