import { retryAfterSeconds } from '../problem/retry-after.ts';
import { isPlatformError } from './is-platform-error.ts';

/** How patient a client is. */
export interface RetryOptions {
  /** Requests in all, the first one included; default 5. */
  readonly attempts?: number;
  /** Milliseconds that the first wait is at most longer than the server asks; doubles with each attempt. Default 1,000. */
  readonly base?: number;
  /** The longest wait, in milliseconds; default 300,000. Who is asked for more gives up. */
  readonly cap?: number;
  /** The header `Retry-After` of the reply, if the caller has it; where it can be read, it wins over the body. */
  readonly retryAfter?: string | null;
  /** At least 0 and below 1; default `Math.random`. */
  readonly random?: () => number;
  /** Milliseconds since the epoch, for a header that is a date; default `Date.now`. */
  readonly clock?: () => number;
}

/** Timers fire at once beyond it. */
const longestTimer = 2_147_483_647;

/** More doublings would change no wait that a timer can keep, and in the end give no number. */
const doublingsMax = 31;

/**
 * Milliseconds to wait before a request is sent again: what the server asks for, and above that a random part of a bound
 * that doubles with each attempt.
 *
 * It says whether another request may succeed, not whether it is safe: who repeats a POST has to know that himself.
 *
 * @param problem Result of `parseProblem`.
 * @param attempt How many requests have failed: 1 after the first one.
 * @returns Nothing if the request should not be sent again: this is no platform error or none that waiting helps
 * against, the attempts are used up, or the server asks for a longer wait than `cap`.
 * @throws RangeError if `base` or `cap` is no number from 0 on.
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
