import type { Entry } from '../catalogue/entry.ts';
import { chooseLanguage } from '../negotiation/choose-language.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { localTexts, type LocalTexts } from '../problem/localise.ts';
import { retryAfterSeconds } from '../problem/retry-after.ts';
import { render } from '../render/render.ts';
import { describeCauses } from '../thrown/describe-thrown.ts';
import { readCircumstances } from './circumstances.ts';
import { customBody } from './custom-body.ts';
import { type ErrorInput, readError } from './error-input.ts';
import type { SentType } from './headers.ts';
import { type Incident, reportOf } from './incident.ts';
import { makeReply, plainReply, plainText } from './reply.ts';
import type { Workings } from './workings.ts';

/**
 * Answers a request with a platform error (ERR-117 to ERR-119). Never rejects.
 *
 * @param asIncident applies rules and pages and logs the error; false for the error route.
 */
export const answer = async (
  workings: Workings,
  request: Request,
  error: ErrorInput,
  pending: Headers | undefined,
  asIncident: boolean,
): Promise<Response> => {
  const { options, settings, catalogue, log, tell } = workings;
  const { entry, unknownCode, retryAfter: given, extensions, cause } = readError(error, catalogue);
  const circumstances = readCircumstances(request, options, settings.dialect.rayIdHeader, tell);
  const { rayId, now, zone } = circumstances;
  if (unknownCode !== undefined) log({ event: 'unknown-code', ray_id: rayId, code: unknownCode });
  let response: Response;
  try {
    const texts = await translate(workings, request, entry, rayId);
    const incident: Incident = {
      ...circumstances,
      ...(texts ?? { texts: undefined, language: 'en' }),
      request,
      pending,
      entry,
      extensions,
      retryAfter: entry.retryable
        ? (retryAfterSeconds(given, now) ?? retryAfterSeconds(pending?.get('retry-after'), now) ?? entry.retry_after)
        : undefined,
    };
    const custom = asIncident && options.customErrors !== undefined ? await customBody(workings, incident) : undefined;
    response =
      custom === undefined
        ? builtInReply(workings, incident)
        : send(workings, incident, custom.status, custom.text, custom.contentType, false);
  } catch (thrown) {
    // Only untyped code gets here, by passing invalid `Headers`.
    tell(rayId, 'built-in', thrown);
    response = plainReply(request, entry);
  }
  if (asIncident) {
    const why = cause === undefined ? {} : { cause: describeCauses(cause) };
    log({ event: 'platform-error', code: entry.code, ray_id: rayId, zone, status: response.status, ...why });
  }
  return response;
};

/** Returns the texts in the language of a request, if it is not English (ERR-147, ERR-148). */
const translate = async (
  { localisation, tell }: Workings,
  request: Request,
  entry: Entry,
  rayId: string,
): Promise<{ readonly texts: LocalTexts; readonly language: string } | undefined> => {
  if (localisation === undefined) return undefined;
  const language = chooseLanguage(request.headers.get('accept-language'), localisation.languages);
  if (!localisation.languages.includes(language)) return undefined;
  const texts = await localTexts(localisation, entry, language, (reason) => tell(rayId, 'localisation', reason));
  return texts === undefined ? undefined : { texts, language };
};

const builtInReply = (workings: Workings, incident: Incident): Response => {
  const { options, settings, tell } = workings;
  const { request, entry, rayId } = incident;
  try {
    const mediaType = negotiate(request.headers.get('accept'));
    const text = render(reportOf(incident, settings), mediaType, {
      guidanceMember: options.markdownGuidanceMember ?? settings.dialect.guidanceMember ?? true,
    });
    return send(workings, incident, entry.http_status, text, mediaType, mediaType === 'text/html');
  } catch (thrown) {
    tell(rayId, 'built-in', thrown);
    return send(workings, incident, entry.http_status, plainText(entry), 'text/plain', false);
  }
};

const send = (
  { settings, vary }: Workings,
  { request, pending, rayId, language, retryAfter }: Incident,
  status: number,
  text: string,
  contentType: SentType,
  ownPage: boolean,
): Response => {
  const { dialect, site } = settings;
  const facts = {
    contentType,
    ownPage,
    rayIdHeader: dialect.rayIdHeader,
    rayId: `${rayId}-${site}`,
    language,
    vary,
    retryAfter,
  };
  return makeReply(request, status, text, facts, pending);
};
