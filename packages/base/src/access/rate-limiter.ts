import { LruCache } from '../core/lru-cache.ts';
import type { Clock } from '../core/clock.ts';
import type { Rate } from '../settings/rules.ts';

/** Counts requests by key (LIM-001, LIM-053). */
export interface RateLimiter {
  /**
   * Counts one request. Yields `undefined` if it may pass, else the whole seconds until the next one may, at least 1.
   */
  admit(key: string): Promise<number | undefined>;
}

/** Makes the limiter of one rate. `setting` names the rate, so that one store can count several rates. */
export type CreateRateLimiter = (rate: Rate, clock: Clock, setting: string) => RateLimiter;

/** Number of keys tracked at once. Beyond it, the least recently seen key is evicted and starts a new window. */
const keysMax = 20_000;

/** A window opens with the first request of a key and lasts the seconds of the rate. Refused requests do not count. */
export function createRateLimiter(rate: Rate, clock: Clock): RateLimiter {
  const windows = new LruCache<string, { count: number; readonly end: number }>(keysMax);
  return {
    async admit(key) {
      const now = clock.now();
      const window = windows.get(key);
      // A clock that was set back must not stretch a window.
      if (window === undefined || now >= window.end || window.end - now > rate.seconds * 1000) {
        windows.set(key, { count: 1, end: now + rate.seconds * 1000 });
        return undefined;
      }
      if (window.count >= rate.requests) return Math.max(1, Math.ceil((window.end - now) / 1000));
      window.count += 1;
      return undefined;
    },
  };
}
