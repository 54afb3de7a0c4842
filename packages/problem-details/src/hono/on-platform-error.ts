import type { ErrorHandler } from 'hono';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { answerThrown } from './answer-thrown.ts';

/**
 * An error handler that answers as the middleware does: `app.onError(onPlatformError())`. Hono hands it `Error`s alone;
 * other things that are thrown need the middleware `platformErrors`.
 *
 * @throws {Error} at once if an option is wrong, naming it.
 */
export const onPlatformError = (optionsOrErrors?: OptionsOrErrors): ErrorHandler => {
  const errors = errorsOf(optionsOrErrors);
  return async (error, c) => {
    const response = await answerThrown(errors, c, error);
    // Else Hono puts the headers of the response before over those of this one.
    c.res = undefined;
    return response;
  };
};
