import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Entry, Extensions } from '../catalogue/entry.ts';

/** A platform error to reply with. */
export interface ErrorDetails {
  /** A code of the catalogue. */
  readonly code: number;
  /** Seconds or a date, only for retryable codes. Overrides the default of the catalogue (ERR-082, ERR-084). */
  readonly retryAfter?: number | string | Date | undefined;
  /** Members that an own code adds (ERR-035). */
  readonly extensions?: Extensions | undefined;
  /** The cause, only for the log. */
  readonly cause?: unknown;
}

/** A code, or a code with details. A thrown `PlatformError` is also one. */
export type ErrorInput = number | ErrorDetails;

/** Code to render if the catalogue lacks the given one (ERR-124). */
const instead = 500;

/** Checked details of an error. */
export interface KnownError {
  readonly entry: Entry;
  readonly retryAfter: ErrorDetails['retryAfter'];
  readonly extensions: Extensions;
  /** The given code if the catalogue lacks it; `NaN` if it was not a number. */
  readonly unknownCode: number | undefined;
  /** Undefined if none was given. */
  readonly cause: unknown;
}

/** Finds the entry of an error. Never throws, even for invalid values or getters that throw. */
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
  // Copy the date, since its methods may be overridden.
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
