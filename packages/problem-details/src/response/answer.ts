import type { Catalogue } from '../catalogue/catalogue.ts';
import { chooseLanguage } from '../negotiation/choose-language.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { localTexts, type LocalTexts } from '../problem/localise.ts';
import { retryAfterSeconds } from '../problem/retry-after.ts';
import { render } from '../render/render.ts';
import { readCircumstances, type TellFailure } from './circumstances.ts';
import { customBody } from './custom-body.ts';
import { type ErrorInput, type KnownError, readError } from './error-input.ts';
import type { SentType } from './headers.ts';
import { type Incident, reportOf } from './incident.ts';
import type { LogRecord } from './log.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';
import { makeReply } from './reply.ts';

/** What all replies of one configuration share. */
export interface Workings {
  readonly options: PlatformErrorOptions;
  readonly settings: PlatformErrorSettings;
  readonly catalogue: Catalogue;
  readonly log: (record: LogRecord) => void;
  readonly tell: TellFailure;
  readonly vary: readonly string[];
}

/** Answers a request with a platform error (ERR-117 to ERR-119). Never rejects. */
export const answer = async (
  workings: Workings,
  request: Request,
  error: ErrorInput,
  pending: Headers | undefined,
  asIncident: boolean,
): Promise<Response> => {
  const { options, settings, catalogue, log, tell } = workings;
  const { entry, unknownCode, retryAfter: given, extensions } = readError(error, catalogue);
  const circumstances = readCircumstances(request, options, settings.dialect.rayIdHeader, tell);
  const { rayId, now, zone } = circumstances;
  if (unknownCode !== undefined) log({ event: 'unknown-code', ray_id: rayId, code: unknownCode });
  const texts = options.localisation === undefined ? undefined : await translate(options, request, entry);
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
  const custom =
    asIncident && options.customErrors !== undefined ? await customBody(incident, options, settings, tell) : undefined;
  const response =
    custom === undefined
      ? builtInReply(workings, incident)
      : send(workings, incident, custom.status, custom.text, custom.contentType, false);
  if (asIncident) log({ event: 'platform-error', code: entry.code, ray_id: rayId, zone, status: response.status });
  return response;
};

/** The texts in the language of a request, if they are not English (ERR-147, ERR-148). */
const translate = async (
  { localisation }: PlatformErrorOptions,
  request: Request,
  entry: KnownError['entry'],
): Promise<{ readonly texts: LocalTexts; readonly language: string } | undefined> => {
  if (localisation === undefined) return undefined;
  const language = chooseLanguage(request.headers.get('accept-language'), localisation.languages);
  if (!localisation.languages.includes(language)) return undefined;
  const texts = await localTexts(localisation, entry, language);
  return texts === undefined ? undefined : { texts, language };
};

const builtInReply = (workings: Workings, incident: Incident): Response => {
  const { options, settings, tell } = workings;
  const { request, entry, rayId } = incident;
  try {
    const mediaType = negotiate(request.headers.get('accept'));
    const text = render(reportOf(incident, settings), mediaType, {
      guidanceMember: options.markdownGuidanceMember ?? true,
    });
    return send(workings, incident, entry.http_status, text, mediaType, mediaType === 'text/html');
  } catch (thrown) {
    tell(rayId, 'built-in', thrown);
    return send(workings, incident, entry.http_status, `error code: ${entry.code}\n`, 'text/plain', false);
  }
};

const send = (
  { settings, vary }: Workings,
  { request, pending, rayId, language, retryAfter }: Incident,
  status: number,
  text: string,
  contentType: SentType,
  ownPage: boolean,
): Response =>
  makeReply(
    request,
    status,
    text,
    {
      contentType,
      ownPage,
      rayIdHeader: settings.dialect.rayIdHeader,
      rayId: `${rayId}-${settings.site}`,
      language,
      vary,
      retryAfter,
    },
    pending,
  );
