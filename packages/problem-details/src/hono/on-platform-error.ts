import type { ErrorHandler } from 'hono';
import { errorsOf, type OptionsOrErrors } from '../middleware/errors-of.ts';
import { answerThrown } from './answer-thrown.ts';

/**
 * Makes an error handler that replies like the middleware: `app.onError(onPlatformError())`. Hono passes only `Error`s
 * to it; other thrown values need the middleware `platformErrors`.
 *
 * @throws {Error} for an invalid option, naming it.
 */
export const onPlatformError = (optionsOrErrors?: OptionsOrErrors): ErrorHandler => {
  const errors = errorsOf(optionsOrErrors);
  return async (error, c) => {
    const response = await answerThrown(errors, c, error);
    // Otherwise Hono overrides the headers with those of the previous response.
    c.res = undefined;
    return response;
  };
};
