import { expect, it } from 'vitest';
import { cost, sliceUnits, unitsOf } from './costs.ts';
import { Scheduler, WorkAbortedError, type RequestWork } from './scheduler.ts';

const sliceOfSteps = sliceUnits / unitsOf[cost.steps];

/** A pass of the event loop that the test ends by hand. */
function passes(): { pause: () => Promise<void>; next: () => Promise<void> } {
  let waiting: (() => void)[] = [];
  return {
    pause: () => new Promise((resolve) => waiting.push(resolve)),
    async next() {
      const all = waiting;
      waiting = [];
      for (const resolve of all) {
        resolve();
        // Each one runs up to its next pause, as after `setImmediate`.
        await new Promise((done) => setImmediate(done));
      }
    },
  };
}

async function spend(work: RequestWork, slices: number, log: string[], name: string): Promise<void> {
  for (let i = 0; i < slices; i++) {
    if (work.spend(cost.steps, sliceOfSteps)) await work.yield();
    log.push(name);
  }
}

it('lets work go on until all of it together has spent a slice', () => {
  const scheduler = new Scheduler();
  const [a, b] = [scheduler.begin(), scheduler.begin()];
  expect(a.spend(cost.steps, sliceOfSteps / 2)).toBe(false);
  expect(b.spend(cost.steps, sliceOfSteps / 2 - 1)).toBe(false);
  expect(b.spend(cost.steps)).toBe(true);
  expect(a.spend(cost.compared, 0)).toBe(true);
  expect([a.units, b.units]).toEqual([sliceUnits / 2, sliceUnits / 2]);
});

it('counts by kind, and the longest stretch without a yield', async () => {
  const scheduler = new Scheduler();
  const work = scheduler.begin();
  work.spend(cost.inflated, 10);
  work.spend(cost.hashed, 20);
  await work.yield();
  work.spend(cost.inflated, 5);
  expect(scheduler.totals[cost.inflated]).toBe(15);
  expect(scheduler.totals[cost.hashed]).toBe(20);
  expect(scheduler.longestStretch).toBe(10 * unitsOf[cost.inflated] + 20 * unitsOf[cost.hashed]);
});

it('resumes one in each pass of the event loop, for any number of waiting ones', async () => {
  const loop = passes();
  const scheduler = new Scheduler(loop);
  const log: string[] = [];
  const all = Array.from({ length: 60 }, (_, i) => spend(scheduler.begin(), 2, log, String(i)));
  for (let pass = 0; pass < 200; pass++) {
    const before = log.length;
    await loop.next();
    expect(log.length - before).toBeLessThanOrEqual(1);
  }
  await Promise.all(all);
  expect(log).toHaveLength(120);
});

it('gives tenants equal parts, for any number of requests each', async () => {
  const loop = passes();
  const scheduler = new Scheduler(loop);
  const log: string[] = [];
  for (let i = 0; i < 20; i++) void spend(scheduler.begin({ tenant: 'many' }), 100, log, 'many');
  void spend(scheduler.begin({ tenant: 'one' }), 100, log, 'one');
  for (let pass = 0; pass < 105; pass++) await loop.next();
  const ones = log.filter((name) => name === 'one').length;
  expect(ones).toBeGreaterThanOrEqual(log.length / 2 - 2);
});

it('lets the youngest request of a tenant go first', async () => {
  const loop = passes();
  const scheduler = new Scheduler(loop);
  const log: string[] = [];
  void spend(scheduler.begin({ tenant: 'a' }), 1000, log, 'long');
  for (let pass = 0; pass < 10; pass++) await loop.next();
  void spend(scheduler.begin({ tenant: 'a' }), 3, log, 'short');
  log.length = 0;
  for (let pass = 0; pass < 5; pass++) await loop.next();
  expect(log.filter((name) => name === 'short')).toHaveLength(3);
});

it('saves nothing up for a tenant that was idle', async () => {
  const loop = passes();
  const scheduler = new Scheduler(loop);
  const log: string[] = [];
  void spend(scheduler.begin({ tenant: 'a' }), 1000, log, 'a');
  for (let pass = 0; pass < 50; pass++) await loop.next();
  void spend(scheduler.begin({ tenant: 'b' }), 1000, log, 'b');
  log.length = 0;
  for (let pass = 0; pass < 20; pass++) await loop.next();
  expect(log.filter((name) => name === 'a').length).toBeGreaterThan(7);
});

it('ends at a yield when the client has left, but not once it is kept', async () => {
  const scheduler = new Scheduler();
  const gone = new AbortController();
  const [ended, kept] = [scheduler.begin({ signal: gone.signal }), scheduler.begin({ signal: gone.signal })];
  kept.keep();
  gone.abort();
  await expect(ended.yield()).rejects.toThrow(WorkAbortedError);
  expect(() => ended.check()).toThrow(WorkAbortedError);
  await kept.yield();
  kept.check();
});

it('lets the others go on when one that waits is aborted', async () => {
  const loop = passes();
  const scheduler = new Scheduler(loop);
  const gone = new AbortController();
  const log: string[] = [];
  const first = spend(scheduler.begin({ signal: gone.signal }), 5, log, 'gone');
  const second = spend(scheduler.begin(), 5, log, 'stays');
  gone.abort();
  const refused = first.catch((error: unknown) => error);
  for (let pass = 0; pass < 12; pass++) await loop.next();
  expect(await refused).toBeInstanceOf(WorkAbortedError);
  await second;
  expect(log).toEqual(['stays', 'stays', 'stays', 'stays', 'stays']);
});

it('lets the others go on when 100 requests end without a word while they wait, as on Workers', async () => {
  let waiting: (() => void)[] = [];
  const scheduler = new Scheduler({ pause: () => new Promise((resolve) => waiting.push(resolve)) });
  const log: string[] = [];
  for (let i = 0; i < 100; i++) void spend(scheduler.begin(), 1, log, 'ended');
  // Nothing will ever resolve these pauses.
  waiting = [];
  const stays = spend(scheduler.begin(), 5, log, 'stays');
  for (let pass = 0; pass < 100; pass++) {
    const all = waiting;
    waiting = [];
    for (const resolve of all) resolve();
    await new Promise((done) => setImmediate(done));
  }
  expect(log).toEqual(['stays', 'stays', 'stays', 'stays', 'stays']);
  await stays;
});
