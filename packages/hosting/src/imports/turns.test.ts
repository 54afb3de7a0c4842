import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Turns } from './turns.ts';

/** `most` turns, and work that ends when the test calls `end`. */
function world(most: number) {
  const turns = new Turns(most);
  const running = new Map<string, () => void>();
  return {
    running,
    begun: () => [...running.keys()],
    run(name: string, account: string, signal = new AbortController().signal): Promise<unknown> {
      const work = (): Promise<void> => new Promise((resolve) => void running.set(name, resolve));
      const done = turns.run(account, signal, 60_000, work).finally(() => running.delete(name));
      return done.catch((error: unknown) => (error as { kind: unknown }).kind);
    },
    async end(name: string): Promise<void> {
      running.get(name)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('turns of imports', () => {
  it('go to the account with the fewest, then to the import that came first', async () => {
    const { run, end, begun } = world(2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) void run(name, name.charAt(0));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toEqual(['a1', 'a2']);
    await end('a2');
    expect(begun()).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun()).toEqual(['b1', 'a3']);
    for (const name of ['b1', 'a3', 'a4', 'b2']) await end(name);
    expect(begun()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('REPO-119, LIM-014: fail imports that are cancelled or that wait longer than an import may take', async () => {
    const { run, end, begun } = world(1);
    const cancelled = new AbortController();
    const first = run('first', 'a');
    const [second, third] = [run('second', 'a', cancelled.signal), run('third', 'a')];
    cancelled.abort();
    expect(await second).toBe('repoNotFound');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await third).toBe('upstreamUnavailable');
    expect(await run('never', 'a', AbortSignal.abort())).toBe('repoNotFound');
    expect(begun()).toEqual(['first']);
    await end('first');
    await first;
    void run('fourth', 'a');
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toEqual(['fourth']);
    await end('fourth');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('are free again when the work fails', async () => {
    const turns = new Turns(1);
    const { signal } = new AbortController();
    await expect(turns.run('a', signal, 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run('a', signal, 1, async () => 'yes')).toBe('yes');
  });
});
