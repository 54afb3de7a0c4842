import type { MiddlewareHandler } from 'hono';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { watchBody } from '../middleware/watch-body.ts';
import { answerThrown, replaceResponse } from './answer-thrown.ts';
import { isLeftByHono, markErrors } from './unanswered.ts';

/**
 * Middleware that answers errors thrown by later handlers (section 12): `app.use(platformErrors())`, before all other
 * middleware. Passes responses of the app through (ERR-120), including those of its `onError`.
 *
 * @throws {Error} for an invalid option, naming it.
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
      // Hono calls no error handler for values other than `Error`s, nor for errors of an error handler.
      replaceResponse(c, await answerThrown(errors, c, thrown));
    } finally {
      release();
    }
  };
};
