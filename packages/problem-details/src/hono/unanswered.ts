import type { Context } from 'hono';
import type { PlatformErrors } from '../response/platform-errors.ts';
import { isThrownPlatformError } from '../thrown/platform-error.ts';

/**
 * Header of the response that Hono's own error handler makes for a marked error, which the middleware then replaces. It
 * never reaches a client. All copies of this package use the same name.
 */
const unanswered = 'x-problem-details-unanswered';

/** Tests if a response only means that the middleware must answer the error. */
export const isUnanswered = (response: Response): boolean => response.headers.has(unanswered);

/** Returns the headers that other middleware has set for the response (ERR-129). */
export const pendingHeaders = (c: Context): Headers => {
  const headers = new Headers(c.res.headers);
  headers.delete(unanswered);
  return headers;
};

/** Tests if the response is that of Hono's own error handler, while errors are marked. */
export const isLeftByHono = (c: Context): boolean =>
  c.error !== undefined && (isUnanswered(c.res) || (!Object.isExtensible(c.error) && isHonoAnswer(c.res)));

/**
 * Makes responses of Hono's own error handler recognizable, since those of the app's handler must be passed through
 * (ERR-120). Hono does not reveal which handler an app has, and calls it before any middleware sees the error. But its
 * own handler uses the `getResponse` of an error. So each error of the request without one gets one, until the caller
 * invokes the returned function. The member is not enumerable, so that logs do not show it. Its response has the status
 * of the later reply, for middleware that reads it; a rule may still change that.
 */
export const markErrors = (c: Context, errors: PlatformErrors): (() => void) => {
  const before = Object.getOwnPropertyDescriptor(c, 'error');
  // An outer middleware already marks them, perhaps of another copy of the package.
  if (before?.set !== undefined) return () => {};
  let current = c.error;
  const marked = new Set<Error>();
  Object.defineProperty(c, 'error', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(error: Error | undefined) {
      current = error;
      if (error !== undefined && mark(error, errors)) marked.add(error);
    },
  });
  return () => {
    Object.defineProperty(c, 'error', { configurable: true, enumerable: true, writable: true, value: current });
    for (const error of marked) Reflect.deleteProperty(error, 'getResponse');
  };
};

/** Marks an error. Returns false if the error has its own response or cannot be extended. */
const mark = (error: Error, errors: PlatformErrors): boolean =>
  !('getResponse' in error) &&
  Reflect.defineProperty(error, 'getResponse', {
    configurable: true,
    value: () => new Response(null, { status: statusFor(error, errors), headers: { [unanswered]: '1' } }),
  });

const statusFor = (error: Error, { catalogue, settings }: PlatformErrors): number => {
  const code = isThrownPlatformError(error) ? error.code : settings.unhandledCode;
  return catalogue.get(code)?.http_status ?? 500;
};

/** Tests if a response looks like that of Hono's own error handler. Good enough for errors that cannot be marked. */
const isHonoAnswer = ({ status, headers }: Response): boolean =>
  status === 500 && headers.get('content-type') === 'text/plain; charset=UTF-8';
