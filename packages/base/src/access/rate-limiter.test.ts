import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

describe('createRateLimiter', () => {
  test.prop([fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(4000), { maxLength: 60 })])(
    'LIM-001, LIM-053: admits no more than the rate per window of a key, and admits again after the returned wait',
    async (requests, steps) => {
      let now = 1_000_000;
      const limiter = createRateLimiter({ requests, seconds: 10 }, { now: () => now });
      let window = { start: -Infinity, passed: 0 };
      for (const step of steps) {
        now += step;
        if (now >= window.start + 10_000) window = { start: now, passed: 0 };
        const wait = await limiter.admit('k');
        expect(wait === undefined).toBe(window.passed < requests);
        if (wait === undefined) window.passed += 1;
        else {
          expect(Number.isInteger(wait) && wait >= 1).toBe(true);
          expect(now + wait * 1000).toBeGreaterThanOrEqual(window.start + 10_000);
          expect(now + (wait - 1) * 1000).toBeLessThan(window.start + 10_000);
        }
      }
    },
  );

  it('counts each key separately, and a clock that is set back extends no window', async () => {
    let now = 1_000_000;
    const limiter = createRateLimiter({ requests: 1, seconds: 10 }, { now: () => now });
    expect(await Promise.all(['a', 'b', 'a'].map((key) => limiter.admit(key)))).toEqual([undefined, undefined, 10]);
    now = 0;
    expect(await limiter.admit('a')).toBeUndefined();
  });
});
