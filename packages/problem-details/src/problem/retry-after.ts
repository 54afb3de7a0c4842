import { parseHttpDate } from './http-date.ts';

/** Maximum seconds; a longer wait is truncated (ERR-152). */
const longest = 2_147_483_647;

/**
 * Converts an external value to seconds to wait (ERR-084): whole seconds as a number or digits, a `Date`, or an HTTP
 * date, rounded up. The result is 0 to 2,147,483,647 (ERR-152).
 *
 * @param now milliseconds since the epoch.
 * @returns undefined for a missing or invalid value of any type.
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
