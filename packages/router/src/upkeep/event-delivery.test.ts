import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startEventDelivery } from './event-delivery.ts';

/** Starts a delivery of the events of these repos. A call of `deliver` ends when the test calls `end` or `fail`. */
function world(ids: readonly string[]) {
  const due = new Set(ids);
  const running = new Map<string, { end: () => void; fail: (error: Error) => void; signal: AbortSignal }>();
  const reported: unknown[] = [];
  let most = 0;
  const delivery = startEventDelivery({
    events: {
      due: async (_, limit) => [...due].slice(0, limit).map((id) => ({ account: 'a1', id })),
      forgetKept: async () => {},
    },
    deliver: ({ id }, signal) => {
      if (running.has(id)) throw new Error(`${id} is delivered twice at once`);
      return new Promise<boolean>((resolve, reject) => {
        const over = (): void => void running.delete(id);
        running.set(id, {
          signal,
          end() {
            due.delete(id);
            over();
            resolve(true);
          },
          fail(error) {
            over();
            reject(error);
          },
        });
        most = Math.max(most, running.size);
      });
    },
    clock: { now: () => 0 },
    report: (error) => void reported.push(error),
  });
  return { delivery, due, running, reported, wake: () => delivery.look(), most: () => most };
}

describe('startEventDelivery', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

  it('REPO-201: delivers for some repositories at once, each once, and starts the next when one is done', async () => {
    const { running, most } = world(Array.from({ length: 40 }, (_, i) => `r${i}`));
    await soon();
    expect(running.size).toBe(16);
    running.get('r3')?.end();
    await soon();
    expect([running.size, running.has('r16'), running.has('r3')]).toEqual([16, true, false]);
    await vi.advanceTimersByTimeAsync(5_000);
    while (running.size > 0) {
      for (const { end } of running.values()) end();
      await soon();
    }
    expect(most()).toBe(16);
  });

  it('REPO-190: delivers at once when an event was recorded', async () => {
    const { running, due, wake } = world([]);
    await soon();
    due.add('r1');
    wake();
    wake();
    await soon();
    expect([...running.keys()]).toEqual(['r1']);
  });

  it('REPO-190: reports and retries a repository whose storage fails, without delaying the others', async () => {
    const { running, reported } = world(['r1', 'r2']);
    await soon();
    running.get('r1')?.fail(new Error('the disk is full'));
    await vi.advanceTimersByTimeAsync(4_999);
    expect([[...running.keys()], reported]).toEqual([['r2'], [new Error('the disk is full')]]);
    await vi.advanceTimersByTimeAsync(1_001);
    expect([...running.keys()]).toEqual(['r2', 'r1']);
  });

  it('without a listener, lets events that were kept for one expire, and delivers nothing', async () => {
    const forgotten: number[] = [];
    const due = vi.fn(async () => []);
    const delivery = startEventDelivery({
      events: { due, forgetKept: async (now) => void forgotten.push(now) },
      deliver: undefined,
      clock: { now: () => 7 },
      report: (error) => expect.unreachable(String(error)),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([forgotten, due.mock.calls]).toEqual([[7], []]);
    await delivery.stop();
  });

  it('REPO-190: stop aborts running deliveries, waits for them, and starts no more', async () => {
    const { delivery, running, reported, wake } = world(['r1']);
    await soon();
    let isStopped = false;
    const stopped = delivery.stop().then(() => void (isStopped = true));
    await soon();
    expect([isStopped, running.get('r1')?.signal.aborted]).toEqual([false, true]);
    running.get('r1')?.fail(new Error('aborted'));
    await stopped;
    wake();
    await vi.advanceTimersByTimeAsync(9_000);
    expect([running.size, reported]).toEqual([0, []]);
  });
});
