import { createPlatformErrors } from '../response/create.ts';
import { PlatformErrorOptionsError } from '../response/options-error.ts';
import type { PlatformErrorOptions } from '../response/options.ts';
import type { PlatformErrors } from '../response/platform-errors.ts';

/** What every adapter takes: options of its own, or what was made of them before and is shared. */
export type OptionsOrErrors = PlatformErrorOptions | PlatformErrors;

/** @throws {Error} if an option is wrong, naming it. */
export const errorsOf = (optionsOrErrors: OptionsOrErrors = {}): PlatformErrors => {
  if (isHandedOver(optionsOrErrors)) {
    throw new PlatformErrorOptionsError('options', 'must not be what a handler gets: mount `platformErrors()`, called');
  }
  const isMade = typeof optionsOrErrors === 'object' && optionsOrErrors !== null && 'respond' in optionsOrErrors;
  return isMade ? optionsOrErrors : createPlatformErrors(optionsOrErrors);
};

/** Whether this is the context or the error that Hono hands to an adapter that was mounted without being called. */
const isHandedOver = (value: unknown): boolean =>
  value instanceof Error || (typeof value === 'object' && value !== null && 'req' in value);
