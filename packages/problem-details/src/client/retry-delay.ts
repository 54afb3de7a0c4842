import { retryAfterSeconds } from '../problem/retry-after.ts';
import { isPlatformError } from './is-platform-error.ts';

/** Options of retrying. */
export interface RetryOptions {
  /** Maximum number of requests, including the first one; default 5. */
  readonly attempts?: number;
  /** Maximum random addition to the first wait, in milliseconds. It doubles with each attempt. Default 1,000. */
  readonly base?: number;
  /** Longest wait in milliseconds; default 300,000. If the server asks for more, the client gives up. */
  readonly cap?: number;
  /** `Retry-After` header of the reply, if available. A valid header overrides the body. */
  readonly retryAfter?: string | null;
  /** Returns a number of at least 0 and below 1; default `Math.random`. */
  readonly random?: () => number;
  /** Returns milliseconds since the epoch, for a header with a date; default `Date.now`. */
  readonly clock?: () => number;
}

/** Longer timers fire at once. */
const longestTimer = 2_147_483_647;

/** Further doublings exceed any timer, and eventually overflow. */
const doublingsMax = 31;

/**
 * Computes the milliseconds to wait before a retry: the time that the server asks for, plus a random part. The bound of
 * the random part doubles with each attempt.
 *
 * The result tells if a retry may succeed, not if it is safe: before repeating a POST, the caller must know that.
 *
 * @param problem result of `parseProblem`.
 * @param attempt number of failed requests: 1 after the first one.
 * @returns undefined if the client should not retry: the problem is not a retryable platform error, the attempts are
 * used up, or the server asks for a longer wait than `cap`.
 * @throws RangeError if `base` or `cap` is negative or not a number.
 */
export function retryDelay(problem: unknown, attempt: number, options: RetryOptions = {}): number | undefined {
  const { attempts = 5, base = 1000, cap = 300_000, retryAfter, random = Math.random, clock = Date.now } = options;
  for (const time of [base, cap]) {
    if (!(time >= 0)) throw new RangeError(`a time of ${time} milliseconds: give a number from 0 on`);
  }
  if (!isPlatformError(problem) || !problem.retryable || !(attempt < attempts)) return undefined;
  const asked = 1000 * (retryAfterSeconds(retryAfter, clock()) ?? problem.retry_after ?? 0);
  const doublings = Math.min(Math.max(0, attempt - 1), doublingsMax);
  const spread = Math.min(base * 2 ** doublings, Math.min(cap, longestTimer) - asked);
  return spread < 0 ? undefined : asked + Math.floor(random() * spread);
}
