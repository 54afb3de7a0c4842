import { negotiate } from '../negotiation/negotiate.ts';
import { renderMinimal } from '../render/minimal.ts';
import { reasonPhrase } from '../render/reason-phrase.ts';
import { readCircumstances } from './circumstances.ts';
import { makeReply } from './reply.ts';
import type { Workings } from './workings.ts';

/** Makes a reply in the negotiated format that is not an error of the catalogue (ERR-100). */
export const minimalReply = (
  { options, settings, tell, vary }: Workings,
  request: Request,
  status: number,
  detail: string,
  headers: HeadersInit | undefined,
): Response => {
  // Other statuses have no body, or a reason phrase that is not a failure's.
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    throw new RangeError(`the status of a minimal reply must be a whole number from 400 to 599, not ${status}`);
  }
  const { dialect, site } = settings;
  const { rayId, zone } = readCircumstances(request, options, dialect.rayIdHeader, tell);
  const contentType = negotiate(request.headers.get('accept'));
  const text = renderMinimal({ status, title: reasonPhrase(status), detail }, contentType, zone);
  const facts = {
    contentType,
    ownPage: contentType === 'text/html',
    rayIdHeader: dialect.rayIdHeader,
    rayId: `${rayId}-${site}`,
    language: 'en',
    vary,
    retryAfter: undefined,
  };
  return makeReply(request, status, text, facts, headers === undefined ? undefined : new Headers(headers));
};
