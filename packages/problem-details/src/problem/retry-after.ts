import { parseHttpDate } from './http-date.ts';

/** Seconds; a longer wait is cut to it (ERR-152). */
const longest = 2_147_483_647;

/**
 * Seconds to wait by a value set from outside (ERR-084): whole seconds as a number or in digits, a `Date`, or a date of
 * HTTP, of which the seconds until then are rounded up. At least 0, at most 2,147,483,647 (ERR-152).
 *
 * @param now Milliseconds since the epoch.
 * @returns Nothing if there is no value or it is anything else, at run time of any type.
 */
export function retryAfterSeconds(value: string | number | Date | null | undefined, now: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? withinLimits(value) : undefined;
  if (typeof value === 'string' && /^\d+$/.test(value)) return withinLimits(Number(value));
  const date =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? parseHttpDate(value, now) : undefined;
  const wait = date === undefined ? Number.NaN : Math.ceil((date - now) / 1000);
  return Number.isNaN(wait) ? undefined : withinLimits(wait);
}

function withinLimits(seconds: number): number {
  return Math.min(Math.max(0, seconds), longest);
}
