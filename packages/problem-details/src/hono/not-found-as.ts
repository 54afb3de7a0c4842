import type { NotFoundHandler } from 'hono';
import { cancelBody } from '../middleware/client.ts';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { PlatformErrorOptionsError } from '../response/options-error.ts';
import { replaceResponse } from './answer-thrown.ts';
import { pendingHeaders } from './unanswered.ts';

/**
 * Answers requests without a route with a code of the catalogue (ERR-125): `app.notFound(notFoundAs(2404))`. By default
 * the app's own 404 stays.
 *
 * @throws {Error} for an unknown code or an invalid option, naming it.
 */
export const notFoundAs = (code: number, optionsOrErrors?: OptionsOrErrors): NotFoundHandler => {
  const errors = errorsOf(optionsOrErrors);
  if (errors.catalogue.get(code) === undefined) throw new PlatformErrorOptionsError('code', 'must be of the catalogue');
  return async (c) => {
    cancelBody(c.req.raw);
    replaceResponse(c, await errors.respond(c.req.raw, code, pendingHeaders(c)));
    return c.res;
  };
};
