import type { Context } from 'hono';
import { renderThrown } from '../middleware/handle-thrown.ts';
import { ownResponse } from '../middleware/own-response.ts';
import type { PlatformErrors } from '../response/platform-errors.ts';
import { isUnanswered, pendingHeaders } from './unanswered.ts';

/** Headers that describe a body, so that they are dropped when another body is sent. */
const ofBody = new Set([
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'transfer-encoding',
]);

/**
 * Does the same as `handleThrown`. The response of an exception keeps its headers, and gets those of other middleware,
 * too.
 */
export const answerThrown = async (errors: PlatformErrors, c: Context, thrown: unknown): Promise<Response> => {
  const pending = pendingHeaders(c);
  const own = await ownResponse(thrown);
  if (own === undefined || isUnanswered(own)) return renderThrown(errors, c.req.raw, thrown, pending);
  const headers = new Headers(own.headers);
  for (const [name, value] of pending) {
    if (name === 'set-cookie') headers.append(name, value);
    else if (!own.headers.has(name) && !ofBody.has(name)) headers.set(name, value);
  }
  return new Response(own.body, { status: own.status, statusText: own.statusText, headers });
};

/** Replaces the response of the request. Otherwise Hono would override its headers with those of the previous one. */
export const replaceResponse = (c: Context, response: Response): void => {
  c.res = undefined;
  c.res = response;
};
