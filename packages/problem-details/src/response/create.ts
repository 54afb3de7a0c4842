import { createCatalogue } from '../catalogue/catalogue.ts';
import { neutral } from '../dialect/neutral.ts';
import { negotiate } from '../negotiation/negotiate.ts';
import { reasonPhrase } from '../render/reason-phrase.ts';
import { renderMinimal } from '../render/minimal.ts';
import { answer, type Workings } from './answer.ts';
import { checkOptions } from './check-options.ts';
import { readCircumstances } from './circumstances.ts';
import { messageOf, quietLog } from './log.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';
import type { PlatformErrors } from './platform-errors.ts';
import { makeReply } from './reply.ts';

/**
 * Checks the options once, and gives what answers requests with them.
 *
 * @throws CatalogueError if an own code or a text is wrong (ERR-143).
 * @throws PlatformErrorOptionsError if another option is wrong, naming it.
 */
export const createPlatformErrors = (options: PlatformErrorOptions = {}): PlatformErrors => {
  const settings: PlatformErrorSettings = {
    dialect: options.dialect ?? neutral,
    docsBase: options.docsBase ?? 'https://packhouse.example',
    site: options.site ?? 'LOC',
    unhandledCode: options.unhandledCode ?? 1101,
    logs: options.log !== undefined,
  };
  const catalogue = createCatalogue(options);
  checkOptions(options, settings, catalogue);
  const log = quietLog(options.log);
  const workings: Workings = {
    options,
    settings,
    catalogue,
    log,
    tell: (rayId, stage, thrown) => log({ event: 'fallback', ray_id: rayId, stage, message: messageOf(thrown) }),
    vary: varyOf(options),
  };
  return {
    catalogue,
    settings,
    log,
    respond: (request, error, pending) => answer(workings, request, error, pending, true),
    builtIn: (request, error, pending) => answer(workings, request, error, pending, false),
    minimal: (request, status, detail, headers) => minimalReply(workings, request, status, detail, headers),
    rayIdOf: (response) => response.headers.get(settings.dialect.rayIdHeader)?.slice(0, 16) ?? '',
  };
};

/** English is always there, so that one other language makes two (ERR-149). */
const varyOf = ({ localisation }: PlatformErrorOptions): readonly string[] => {
  const others = localisation?.languages.some((language) => language.toLowerCase() !== 'en') ?? false;
  return others ? ['Accept', 'Accept-Language'] : ['Accept'];
};

const minimalReply = (
  { options, settings, tell, vary }: Workings,
  request: Request,
  status: number,
  detail: string,
  headers: HeadersInit | undefined,
): Response => {
  const { dialect, site } = settings;
  const { rayId, zone } = readCircumstances(request, options, dialect.rayIdHeader, tell);
  const mediaType = negotiate(request.headers.get('accept'));
  return makeReply(
    request,
    status,
    renderMinimal({ status, title: reasonPhrase(status), detail }, mediaType, zone),
    {
      contentType: mediaType,
      ownPage: mediaType === 'text/html',
      rayIdHeader: dialect.rayIdHeader,
      rayId: `${rayId}-${site}`,
      language: 'en',
      vary,
      retryAfter: undefined,
    },
    headers === undefined ? undefined : new Headers(headers),
  );
};
