import type { Context } from 'hono';
import type { PlatformErrors } from '../response/platform-errors.ts';
import { isThrownPlatformError } from '../thrown/platform-error.ts';

/**
 * Header of what Hono's own error handler answers while errors are marked: the request is left to the middleware. It
 * never reaches a client. The same in every copy of this package.
 */
const unanswered = 'x-problem-details-unanswered';

/** Whether a response says no more than that an error is left to the middleware. */
export const isUnanswered = (response: Response): boolean => response.headers.has(unanswered);

/** The headers that other middleware has set for the response of a request (ERR-129). */
export const pendingHeaders = (c: Context): Headers => {
  const headers = new Headers(c.res.headers);
  headers.delete(unanswered);
  return headers;
};

/** Whether the response of a request is that of Hono's own error handler, while errors are marked. */
export const isLeftByHono = (c: Context): boolean =>
  c.error !== undefined && (isUnanswered(c.res) || (!Object.isExtensible(c.error) && isHonoAnswer(c.res)));

/**
 * Tells answers of Hono's own error handler from those of the app's, which are the app's responses (ERR-120). Hono
 * keeps to itself which handler an app has, and asks it before any middleware sees the error. But its own handler
 * answers with what an error's `getResponse` gives; so each error of the request that has none is given one until
 * the function that is returned is called. It is not enumerable, so that logs do not show it. Its response has the
 * status of the reply that is going to be made, for middleware in between that looks at it; a rule may change that.
 */
export const markErrors = (c: Context, errors: PlatformErrors): (() => void) => {
  const before = Object.getOwnPropertyDescriptor(c, 'error');
  // An outer middleware, of this copy of the package or of another one, marks them already.
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

/** Whether it could be done: not on an error with a response of its own, nor on one that takes no more members. */
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

/** Whether a response looks like that of Hono's own error handler. Good enough for errors that cannot be marked. */
const isHonoAnswer = ({ status, headers }: Response): boolean =>
  status === 500 && headers.get('content-type') === 'text/plain; charset=UTF-8';
