import { createPlatformErrors } from '../response/create.ts';
import type { PlatformErrorOptions } from '../response/options.ts';
import type { PlatformErrors } from '../response/platform-errors.ts';

/** What every adapter takes: options of its own, or what was made of them before and is shared. */
export type OptionsOrErrors = PlatformErrorOptions | PlatformErrors;

/** @throws {Error} if an option is wrong, naming it. */
export const errorsOf = (optionsOrErrors: OptionsOrErrors = {}): PlatformErrors =>
  'respond' in optionsOrErrors ? optionsOrErrors : createPlatformErrors(optionsOrErrors);
