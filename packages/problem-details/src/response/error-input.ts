import type { Extensions } from '../problem/problem.ts';

/** A platform error to answer with. */
export interface ErrorDetails {
  /** A code of the catalogue. */
  readonly code: number;
  /** Seconds, or a date; only for retryable codes. Wins over the default of the catalogue (ERR-082, ERR-084). */
  readonly retryAfter?: number | string | Date;
  /** Members that an own code adds (ERR-035). */
  readonly extensions?: Extensions;
}

/** A code, or a code with what else is known. A `PlatformError` that was thrown is one, too. */
export type ErrorInput = number | ErrorDetails;
