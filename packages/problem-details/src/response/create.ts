import type { PlatformErrorOptions } from './options.ts';
import type { PlatformErrors } from './platform-errors.ts';

/**
 * Checks the options once and gives what answers requests with them.
 *
 * @throws {Error} if an option is wrong, naming it (ERR-143).
 */
export declare const createPlatformErrors: (options?: PlatformErrorOptions) => PlatformErrors;
