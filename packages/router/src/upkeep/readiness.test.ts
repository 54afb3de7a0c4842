import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readiness } from './readiness.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it('REPO-343: many probes cost one check of the storage a second, and an answer that is late counts as none', async () => {
  const answers: PromiseWithResolvers<void>[] = [];
  const ready = readiness(
    () => true,
    () => (answers.push(Promise.withResolvers<void>()), answers.at(-1)?.promise),
    undefined,
    () => Date.now(),
  );
  const [first, second] = [ready(), ready()];
  await vi.advanceTimersByTimeAsync(100);
  answers[0]?.resolve();
  expect([await first, await second, await ready(), answers.length]).toEqual([true, true, true, 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  const [third, fourth] = [ready(), vi.advanceTimersByTimeAsync(1_500).then(ready)];
  await vi.advanceTimersByTimeAsync(4_000);
  expect([await third, await fourth, answers.length]).toEqual([false, false, 2]);
  answers[1]?.reject(new Error('connection lost'));
  await vi.advanceTimersByTimeAsync(1_000);
  const fifth = ready();
  await vi.advanceTimersByTimeAsync(0);
  answers[2]?.resolve();
  expect([await fifth, answers.length]).toEqual([true, 3]);
});

it('REPO-343: a synchronous check runs each time, its error is reported once, and none runs while the service is not ready', async () => {
  let isGone = false;
  let isStarted = true;
  let checks = 0;
  const gone = new Error('the folder is gone');
  const reported: unknown[] = [];
  const ready = readiness(
    () => isStarted,
    () => {
      checks++;
      if (isGone) throw gone;
    },
    (error) => reported.push(error),
  );
  expect(await ready()).toBe(true);
  isGone = true;
  expect(await ready()).toBe(false);
  expect([await ready(), reported]).toEqual([false, [gone]]);
  isGone = false;
  expect(await ready()).toBe(true);
  isGone = true;
  expect([await ready(), reported]).toEqual([false, [gone, gone]]);
  isStarted = false;
  expect([await ready(), checks]).toEqual([false, 5]);
});
