import { HostingError, type HoldReply, envelopeResponse, errorHeaders, type Envelope } from '@packhouse/base';
import { TaggingError } from '../model/tagging-error.ts';

/** Headers that forbid caching any reply (TAG-014). */
const uncached = { 'cache-control': 'no-store' };

/** Makes a successful reply; without `result` it has no body (TAG-003). */
export function tagSuccess(said?: Extract<Envelope, { result: unknown }>, hold?: HoldReply): Response {
  return said === undefined
    ? new Response(null, { status: 204, headers: uncached })
    : envelopeResponse(said, 200, uncached, hold);
}

/**
 * Makes a failure reply with one item in `errors`, and one in `messages` if the error has details (TAG-021 to TAG-025).
 */
export function tagFailure(
  error: HostingError | TaggingError,
  docsBase: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { code, message, pointer } = error instanceof TaggingError ? error : error.items[0];
  const item = {
    code,
    message,
    ...(docsBase !== undefined && { documentation_url: `${docsBase}/tags/errors#${code}` }),
    ...(pointer !== undefined && { source: { pointer } }),
  };
  const detail = error instanceof TaggingError ? error.detail : undefined;
  const messages = detail === undefined ? [] : [{ code, message: detail }];
  return envelopeResponse({ errors: [item], messages }, error.status, {
    ...uncached,
    ...(error instanceof HostingError && errorHeaders(error)),
    ...headers,
  });
}
