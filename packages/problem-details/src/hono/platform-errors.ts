import type { MiddlewareHandler } from 'hono';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { watchBody } from '../middleware/watch-body.ts';
import { answerThrown, replaceResponse } from './answer-thrown.ts';
import { isLeftByHono, markErrors } from './unanswered.ts';

/**
 * Middleware that answers what is thrown below it (section 12): `app.use(platformErrors())`, before all other
 * middleware. Responses of the app are passed through (ERR-120), those of an `onError` of its own as well.
 *
 * @throws {Error} at once if an option is wrong, naming it.
 */
export const platformErrors = (optionsOrErrors?: OptionsOrErrors): MiddlewareHandler => {
  const errors = errorsOf(optionsOrErrors);
  return async (c, next) => {
    const release = markErrors(c, errors);
    try {
      await next();
      if (isLeftByHono(c)) replaceResponse(c, await answerThrown(errors, c, c.error));
      else {
        const watched = await watchBody(errors, c.req.raw, c.res);
        if (watched !== c.res) replaceResponse(c, watched);
      }
    } catch (thrown) {
      // Hono asks no error handler about what is no `Error`, nor about what an error handler throws itself.
      replaceResponse(c, await answerThrown(errors, c, thrown));
    } finally {
      release();
    }
  };
};
