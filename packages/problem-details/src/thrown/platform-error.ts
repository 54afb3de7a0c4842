import type { Extensions } from '../catalogue/entry.ts';

/** Details of a thrown platform error. */
export interface PlatformErrorDetails {
  /** Seconds or a date to try again. Overrides the default of the catalogue; only for retryable codes (ERR-082). */
  readonly retryAfter?: number | string | Date;
  /** Members `x_...` of an own code (ERR-035). */
  readonly extensions?: Extensions;
  /** The cause. Clients never see it. */
  readonly cause?: unknown;
}

/** Key of the symbol that all copies and versions of this package share, even bundled ones. */
const brand = '@packhouse/problem-details/platform-error';

/**
 * An error of the catalogue. Throw it anywhere below the middleware, which renders it (ERR-121): `throw new
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

/** Tests if a thrown value is a {@link PlatformError}, of any copy of this package. */
export function isThrownPlatformError(thrown: unknown): thrown is PlatformError {
  try {
    return typeof thrown === 'object' && thrown !== null && Reflect.get(thrown, Symbol.for(brand)) === true;
  } catch {
    // The value is a revoked proxy, or has a getter that throws.
    return false;
  }
}
