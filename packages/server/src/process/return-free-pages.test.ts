import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { returnFreePages } from './return-free-pages.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('LIM-075: looks every 30 s, works in steps with pauses, and goes on after a failure', () => {
  const outcomes: (boolean | Error)[] = [false, true, true, new Error('the disk is full'), true, false];
  const times: number[] = [];
  const begin = Date.now();
  const { stop } = returnFreePages(() => {
    times.push(Date.now() - begin);
    const outcome = outcomes.shift() ?? false;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  vi.advanceTimersByTime(90_400);
  expect(times).toEqual([30_000, 60_000, 60_100, 60_200, 90_200, 90_300]);
  stop();
  vi.advanceTimersByTime(90_000);
  expect(times).toHaveLength(6);
});
