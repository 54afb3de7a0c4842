import { createPlatformErrors } from './create.ts';
import type { ErrorInput } from './error-input.ts';
import type { PlatformErrorOptions } from './options.ts';
import type { PlatformErrors } from './platform-errors.ts';

/** Cache of platform errors by options object. */
const made = new WeakMap<PlatformErrorOptions, PlatformErrors>();
const defaults: PlatformErrorOptions = {};

/**
 * Answers a request with a platform error, without any setup (ERR-141): `return respond(request, 1015)`. Reads an
 * options object once, at its first use. Reuse the object: a new one at each call means a new catalogue each time.
 *
 * @throws (as a rejection) the errors of {@link createPlatformErrors}; else it never rejects.
 */
export const respond = async (
  request: Request,
  error: ErrorInput,
  options: PlatformErrorOptions = defaults,
): Promise<Response> => {
  const errors = made.get(options) ?? createPlatformErrors(options);
  made.set(options, errors);
  return errors.respond(request, error);
};
