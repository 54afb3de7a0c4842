import { parseHttpDate } from './http-date.ts';

/** Seconds; a longer wait is cut to it (ERR-152). */
const longest = 2_147_483_647;

/**
 * Seconds to wait by a value set from outside (ERR-084): whole seconds as a number or in digits, a `Date`, or a date of
 * HTTP, of which the seconds until then are rounded up. At least 0, at most 2,147,483,647 (ERR-152).
 *
 * @param now Milliseconds since the epoch.
 * @returns Nothing if there is no value or it is anything else.
 */
export function retryAfterSeconds(value: string | number | Date | null | undefined, now: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? Math.min(value, longest) : undefined;
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') return until(value.getTime(), now);
  if (/^\d+$/.test(value)) return Math.min(Number(value), longest);
  return until(parseHttpDate(value, now), now);
}

function until(date: number | undefined, now: number): number | undefined {
  if (date === undefined || Number.isNaN(date)) return undefined;
  return Math.min(Math.max(0, Math.ceil((date - now) / 1000)), longest);
}
