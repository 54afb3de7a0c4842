import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Patience } from './patience.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => {});

describe('Patience', () => {
  it('gives up after silence, and from then on at once', async () => {
    const patience = new Patience({ idle: 100, total: 1_000 });
    const waiting = patience.wait(never);
    vi.advanceTimersByTime(99);
    expect(patience.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(waiting).rejects.toMatchObject({ code: 'stalled' });
    expect(patience.signal.aborted).toBe(true);
    await expect(patience.wait(Promise.resolve(1))).rejects.toMatchObject({ code: 'stalled' });
    expect(() => patience.check()).toThrow(expect.objectContaining({ code: 'stalled' }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not count the time between, but counts it in all', async () => {
    const patience = new Patience({ idle: 100, total: 250 });
    for (let step = 0; step < 2; step++) {
      expect(await patience.wait(Promise.resolve(step))).toBe(step);
      vi.advanceTimersByTime(120);
      patience.check();
    }
    vi.advanceTimersByTime(10);
    expect(() => patience.check()).toThrow(expect.objectContaining({ code: 'timed out' }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is cancelled, before or while it waits', async () => {
    const controller = new AbortController();
    const patience = new Patience({ idle: 100, total: 250 }, controller.signal);
    const waiting = patience.wait(never);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    const late = new Patience({ idle: 100, total: 250 }, controller.signal);
    expect(() => late.check()).toThrow(expect.objectContaining({ code: 'cancelled' }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes failures on, but not those that giving up has caused', async () => {
    const patience = new Patience({ idle: 100, total: 250 });
    await expect(patience.wait(Promise.reject(new Error('theirs')))).rejects.toThrow('theirs');
    const aborted = new Promise<never>((_, reject) => {
      patience.signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
    const waiting = patience.wait(aborted);
    vi.advanceTimersByTime(100);
    await expect(waiting).rejects.toMatchObject({ code: 'stalled' });
  });

  it('leaves nothing behind that keeps a process alive', async () => {
    const patience = new Patience({ idle: 100, total: 250 }, new AbortController().signal);
    await patience.wait(Promise.resolve());
    patience.end();
    expect(vi.getTimerCount()).toBe(0);
    expect(patience.signal.aborted).toBe(true);
  });
});
