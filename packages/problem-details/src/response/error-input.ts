import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Entry, Extensions } from '../catalogue/entry.ts';

/** A platform error to answer with. */
export interface ErrorDetails {
  /** A code of the catalogue. */
  readonly code: number;
  /** Seconds, or a date; only for retryable codes. Wins over the default of the catalogue (ERR-082, ERR-084). */
  readonly retryAfter?: number | string | Date | undefined;
  /** Members that an own code adds (ERR-035). */
  readonly extensions?: Extensions | undefined;
  /** Why it happened, for the log alone. */
  readonly cause?: unknown;
}

/** A code, or a code with what else is known. A `PlatformError` that was thrown is one, too. */
export type ErrorInput = number | ErrorDetails;

/** Rendered instead of a code that the catalogue does not have (ERR-124). */
const instead = 500;

/** What is known of an error. */
export interface KnownError {
  readonly entry: Entry;
  readonly retryAfter: ErrorDetails['retryAfter'];
  readonly extensions: Extensions;
  /** The code that was given, if the catalogue does not have it; `NaN` if it was no number. */
  readonly unknownCode: number | undefined;
  /** Undefined if none was given. */
  readonly cause: unknown;
}

/** Finds the entry of an error. Never throws: at run time anything may be given, even getters that throw. */
export const readError = (error: ErrorInput, catalogue: Catalogue): KnownError => {
  const given: ErrorDetails = typeof error === 'number' ? { code: error } : copyOf(error);
  const entry = catalogue.get(given.code);
  const { retryAfter, extensions = {}, cause } = given;
  if (entry !== undefined) return { entry, retryAfter, extensions, unknownCode: undefined, cause };
  const fallback = catalogue.get(instead);
  if (fallback === undefined) throw new Error(`the catalogue has no code ${instead}`);
  return { entry: fallback, retryAfter, extensions, unknownCode: given.code, cause };
};

const copyOf = (error: ErrorDetails): ErrorDetails => ({
  code: numberOf(attempt(() => error.code)),
  retryAfter: attempt(() => retryAfterOf(error.retryAfter)),
  extensions: attempt(() => ({ ...error.extensions })),
  cause: attempt(() => error.cause),
});

const retryAfterOf = (value: unknown): ErrorDetails['retryAfter'] =>
  // Not the date itself, whose methods may be others.
  value instanceof Date
    ? new Date(Date.prototype.getTime.call(value))
    : typeof value === 'number' || typeof value === 'string'
      ? value
      : undefined;

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
