import type { Extensions } from '../catalogue/entry.ts';

/** What else is known of a platform error where it is thrown. */
export interface PlatformErrorDetails {
  /** When to try again: seconds, or a date. Wins over the default of the catalogue; only for retryable codes (ERR-082). */
  readonly retryAfter?: number | string | Date;
  /** Members `x_...` of an own code (ERR-035). */
  readonly extensions?: Extensions;
  /** Why it happened. Never shown to a client. */
  readonly cause?: unknown;
}

/** Key of the symbol known to every copy of this package, whatever its version and whoever bundled it. */
const brand = '@packhouse/problem-details/platform-error';

/**
 * An error of the catalogue, to be thrown anywhere below the middleware, which renders it (ERR-121): `throw new
 * PlatformError(1015, { retryAfter: 10 })`. An unknown code is rendered as 500 (ERR-124).
 */
export class PlatformError extends Error {
  override readonly name: string = 'PlatformError';
  readonly code: number;
  declare readonly retryAfter?: number | string | Date;
  declare readonly extensions?: Extensions;

  static {
    Object.defineProperty(this.prototype, Symbol.for(brand), { value: true });
  }

  constructor(code: number, details: PlatformErrorDetails = {}) {
    super(`platform error ${code}`, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter;
    if (details.extensions !== undefined) this.extensions = details.extensions;
  }
}

/** Whether a value that was thrown is a {@link PlatformError}, of this copy of the package or of another one. */
export function isThrownPlatformError(thrown: unknown): thrown is PlatformError {
  try {
    return typeof thrown === 'object' && thrown !== null && Reflect.get(thrown, Symbol.for(brand)) === true;
  } catch {
    // A revoked proxy, or a getter that throws.
    return false;
  }
}
