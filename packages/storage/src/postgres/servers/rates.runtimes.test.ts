import { fc } from '@fast-check/vitest';
import { systemClock } from '@packhouse/base';
import { describe, expect, it } from 'vitest';
import { postgresRates } from './rates.ts';
import { serverMigrations } from './schema.ts';
import { severalDrivers } from '../several-drivers.test.util.ts';

const drivers = severalDrivers({ servers: serverMigrations });

/** Makes the limiter of one rate on each of two servers, for separate keys. */
let keys = 0;
const limiters = (requests: number, seconds = 1_000) => {
  const key = `key ${keys++}`;
  const made = drivers.map((driver) => postgresRates(driver)({ requests, seconds }, systemClock, 'rate_rest'));
  return (server: number) => (made[server] as (typeof made)[number]).admit(key);
};
const pass = (seconds: number): Promise<unknown> =>
  drivers[0].rows(`UPDATE packhouse.rates SET ends = ends - $1 * interval '1 second'`, [seconds]);

describe('postgresRates', () => {
  it('REPO-332, LIM-001: servers together admit no more than the rate per window, then again after the wait', async () => {
    const step = fc.record({ server: fc.nat(1), passed: fc.constantFrom(0, 0, 0, 350, 900) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 25 }), async (requests, steps) => {
        const admit = limiters(requests);
        let now = 0;
        let window = { end: -Infinity, admitted: 0 };
        for (const { server, passed } of steps) {
          now += passed;
          if (passed > 0) await pass(passed);
          if (now >= window.end) window = { end: now + 1_000, admitted: 0 };
          const wait = await admit(server);
          expect(wait === undefined).toBe(window.admitted < requests);
          if (wait === undefined) window.admitted += 1;
          // The real clock of the database moves, too.
          else expect(Math.abs(window.end - now - wait)).toBeLessThan(40);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('REPO-332: of many requests at once through several servers, as many pass as the rate says', async () => {
    const admit = limiters(17);
    const waits = await Promise.all(Array.from({ length: 60 }, (_, i) => admit(i % 2)));
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(17);
    expect(waits.every((wait) => wait === undefined || (wait > 900 && wait <= 1_000))).toBe(true);
  });

  it('REPO-332: a statement that began before a window that another server began counts in it', async () => {
    const [driver, other] = drivers;
    const rate = { requests: 2, seconds: 1_000 };
    const waits = await driver.transaction(async (begun) => {
      await begun.rows('SELECT');
      const later = postgresRates(other)(rate, systemClock, 'rate_git');
      const earlier = postgresRates({ ...driver, rows: begun.rows })(rate, systemClock, 'rate_git');
      return [await later.admit('key'), await later.admit('key'), await earlier.admit('key')];
    });
    expect(waits).toEqual([undefined, undefined, expect.any(Number)]);
    expect(waits[2]).toBeLessThanOrEqual(rate.seconds);
  });

  it('stores no key, begins again if the rate got shorter windows, and removes windows that have ended', async () => {
    const [driver] = drivers;
    await driver.rows('DELETE FROM packhouse.rates');
    const long = postgresRates(driver)({ requests: 1, seconds: 500 }, { now: () => 0 }, 'rate_tags');
    expect([await long.admit('secret'), (await long.admit('secret')) !== undefined]).toEqual([undefined, true]);
    const short = postgresRates(driver)({ requests: 1, seconds: 50 }, { now: () => 0 }, 'rate_tags');
    expect([await short.admit('secret'), await short.admit('secret')]).toEqual([undefined, 50]);
    const rows = await driver.rows<{ key: Uint8Array }>('SELECT key FROM packhouse.rates');
    expect(rows.map(({ key }) => [key.length, Buffer.from(key).includes('secret')])).toEqual([[32, false]]);
    await pass(60);
    await postgresRates(driver)({ requests: 1, seconds: 50 }, { now: () => 60_000 }, 'rate_tags').admit('other');
    await expect.poll(() => driver.rows('SELECT FROM packhouse.rates')).toHaveLength(1);
  });
});
