import { createPlatformErrors } from '../response/create.ts';
import { PlatformErrorOptionsError } from '../response/options-error.ts';
import type { PlatformErrorOptions } from '../response/options.ts';
import type { PlatformErrors } from '../response/platform-errors.ts';

/** Argument of every adapter: options, or the shared result of `createPlatformErrors`. */
export type OptionsOrErrors = PlatformErrorOptions | PlatformErrors;

/**
 * Returns the platform errors of an adapter.
 *
 * @throws {Error} for an invalid option, naming it.
 */
export const errorsOf = (optionsOrErrors: OptionsOrErrors = {}): PlatformErrors => {
  if (isHandedOver(optionsOrErrors)) {
    throw new PlatformErrorOptionsError('options', 'must not be what a handler gets: mount `platformErrors()`, called');
  }
  const isMade = typeof optionsOrErrors === 'object' && optionsOrErrors !== null && 'respond' in optionsOrErrors;
  return isMade ? optionsOrErrors : createPlatformErrors(optionsOrErrors);
};

/** Tests if a value is Hono's context or error, which means that the adapter was mounted without being called. */
const isHandedOver = (value: unknown): boolean =>
  value instanceof Error || (typeof value === 'object' && value !== null && 'req' in value);
