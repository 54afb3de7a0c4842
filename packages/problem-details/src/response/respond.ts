import { createPlatformErrors } from './create.ts';
import type { ErrorInput } from './error-input.ts';
import type { PlatformErrorOptions } from './options.ts';
import type { PlatformErrors } from './platform-errors.ts';

/** What was made for options that were given before. */
const made = new WeakMap<PlatformErrorOptions, PlatformErrors>();
const defaults: PlatformErrorOptions = {};

/**
 * The response to a request that ended with a platform error, without anything to set up (ERR-141): `return
 * respond(request, 1015)`. Options are read once, when their object is first seen: keep it, since one that is written
 * at each call has its catalogue made anew each time.
 *
 * @throws (as a rejection) what {@link createPlatformErrors} throws; else it never rejects.
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
