import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { RequestAccount } from './request-account.ts';

/** Receives bytes that a computation holds from now on, or no longer if negative. It may throw to end it. */
export type Hold = (bytes: number) => void;

/** Bytes that are reserved at once. */
const portion = 256 * 1024;

/** Returns a function that reserves memory of the request, up to `max` bytes, until the request ends. */
export function holding(account: RequestAccount, max: number): Hold {
  let [held, reserved] = [0, 0];
  return (bytes) => {
    held += bytes;
    if (held > max) throw new NotEnoughMemoryError({ needed: held, limit: max, setting: 'request_memory_max' });
    if (held <= reserved) return;
    const more = Math.max(held - reserved, Math.min(portion, max - reserved));
    const error = account.keep(more);
    if (error !== undefined) throw error;
    reserved += more;
  };
}
