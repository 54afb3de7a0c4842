import { LeaseLostError, type WorkLeases, type WorkStorage } from '@packhouse/hosting';
import { memoryStorage, memoryWorkLeases } from '@packhouse/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLeasing, type Leasing } from './leasing.ts';

let leases: WorkLeases;
let reported: unknown[];
let a: Leasing;
let b: Leasing;
const { signal } = new AbortController();
const key = 'maintain r1';

const nothing = async (): Promise<void> => {};

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  reported = [];
  const storage = memoryStorage();
  leases = memoryWorkLeases(storage, { now: () => Date.now() });
  [a, b] = [leases, leases].map((each) => createLeasing(each, storage, (error) => reported.push(error))) as [
    Leasing,
    Leasing,
  ];
});
afterEach(() => {
  expect(reported).toEqual([]);
  vi.useRealTimers();
});

/** Runs work on A that ends with the answered function. */
function begin(options: { rest?: number } = {}) {
  const gate = Promise.withResolvers<void>();
  let held: { storage: WorkStorage; signal: AbortSignal } | undefined;
  const done = a.run(key, { signal, ...options }, async (storage, leased) => {
    held = { storage, signal: leased };
    await gate.promise;
  });
  return { done, end: gate.resolve, fail: gate.reject, held: () => held as NonNullable<typeof held> };
}

describe('createLeasing', () => {
  it('REPO-330: holds a lease for as long as the work takes, and releases it afterwards', async () => {
    const work = begin();
    for (let i = 0; i < 12; i++) {
      await vi.advanceTimersByTimeAsync(11_000);
      expect(await b.run(key, { signal }, nothing)).toBe(false);
    }
    work.end();
    expect([await work.done, await b.run(key, { signal }, nothing)]).toEqual([true, true]);
  });

  it('REPO-331: another server takes over within 30 s when the holder has died', async () => {
    await leases.take(key, 30_000);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(await b.run(key, { signal }, nothing)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await b.run(key, { signal }, nothing)).toBe(true);
  });

  it('REPO-331: a holder that stalled learns of the loss, and changes nothing', async () => {
    const work = begin();
    await vi.advanceTimersByTimeAsync(9_000);
    // The process stalls: time passes, but its timers do not run.
    vi.setSystemTime(60_000);
    const other = b.run(key, { signal }, async () => {
      const change = work.held().storage.catalog('a1').createNamespace('late', 'unrestricted', 0);
      await expect(change).rejects.toBeInstanceOf(LeaseLostError);
      expect(work.held().signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(work.held().signal.aborted).toBe(true);
      work.end();
      await work.done;
      // The loser must not release the lease of its successor.
      expect(await leases.take(key, 1)).toBeUndefined();
    });
    expect(await other).toBe(true);
  });

  it('keeps other servers off for the rest after work that succeeded, and not after a failure', async () => {
    const work = begin({ rest: 100_000 });
    work.fail(new Error('the disk is full'));
    await expect(work.done).rejects.toThrow('the disk is full');
    expect(await a.run(key, { signal, rest: 100_000 }, nothing)).toBe(true);
    await vi.advanceTimersByTimeAsync(99_999);
    expect(await b.run(key, { signal }, nothing)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await b.run(key, { signal }, nothing)).toBe(true);
  });
});
