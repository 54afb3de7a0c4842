import { createCatalogue } from '../catalogue/catalogue.ts';
import { neutral } from '../dialect/neutral.ts';
import type { Localisation } from '../problem/localise.ts';
import { describeThrown } from '../thrown/describe-thrown.ts';
import { answer } from './answer.ts';
import { checkUnhandledCode, readOptions } from './check-options.ts';
import { rayIdIn } from './circumstances.ts';
import { quietLog } from './log.ts';
import { minimalReply } from './minimal.ts';
import type { PlatformErrorOptions, PlatformErrorSettings } from './options.ts';
import type { PlatformErrors } from './platform-errors.ts';
import type { Workings } from './workings.ts';

/**
 * Checks the options once, and makes the functions that answer requests with them.
 *
 * @throws CatalogueError for an invalid own code or text (ERR-143).
 * @throws PlatformErrorOptionsError for another invalid option, naming it.
 */
export const createPlatformErrors = (given: PlatformErrorOptions = {}): PlatformErrors => {
  const options = readOptions(given);
  const settings: PlatformErrorSettings = {
    dialect: options.dialect ?? neutral,
    docsBase: options.docsBase ?? 'https://packhouse.example',
    site: options.site ?? 'LOC',
    unhandledCode: options.unhandledCode ?? 1101,
    logs: options.log !== undefined,
  };
  const catalogue = createCatalogue(options);
  checkUnhandledCode(settings.unhandledCode, catalogue);
  const log = quietLog(options.log);
  const localisation = copyOf(options.localisation);
  const workings: Workings = {
    options,
    settings,
    catalogue,
    localisation,
    log,
    tell: (rayId, stage, thrown) =>
      log({ event: 'fallback', ray_id: rayId, stage, message: describeThrown(thrown).message }),
    vary: hasOtherLanguages(localisation) ? 'Accept, Accept-Language' : 'Accept',
  };
  return {
    catalogue,
    settings,
    log,
    respond: (request, error, pending) => answer(workings, request, error, pending, true),
    builtIn: (request, error, pending) => answer(workings, request, error, pending, false),
    minimal: (request, status, detail, headers) => minimalReply(workings, request, status, detail, headers),
    rayIdOf: ({ headers }) => rayIdIn(headers.get(settings.dialect.rayIdHeader)) ?? '',
  };
};

/** Copies the checked languages, so that later changes of the list have no effect. */
const copyOf = (localisation: Localisation | undefined): Localisation | undefined =>
  localisation && {
    languages: [...localisation.languages],
    texts: (entry, language) => localisation.texts(entry, language),
  };

/** English is always available, so one other language makes two (ERR-149). */
const hasOtherLanguages = (localisation: Localisation | undefined): boolean =>
  localisation?.languages.some((language) => language.toLowerCase() !== 'en') ?? false;
