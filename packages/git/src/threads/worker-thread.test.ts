import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeltaJob } from '../pack/receive/receiving-threads.ts';
import { WorkerThread } from './worker-thread.ts';

/** A worker that does only what a test makes it do. */
class SilentWorker extends EventEmitter {
  readonly unref = vi.fn();
  postMessage(): void {}
  async terminate(): Promise<void> {
    this.emit('exit', 1);
  }
}

const job = {} as DeltaJob;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  // A timer would keep the process alive.
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function started() {
  const worker = new SilentWorker();
  const ended = vi.fn();
  return { worker, ended, thread: new WorkerThread(worker as unknown as Worker, ended) };
}

describe('GIT-195: a thread of a worker', () => {
  it('does nothing if it is not ready within ten seconds', async () => {
    const { thread, worker } = started();
    const resolving = thread.resolve(job);
    await vi.advanceTimersByTimeAsync(10_000);
    worker.emit('message', 'ready');
    expect(await resolving).toBeUndefined();
    await thread.end();
  });

  it('keeps no process alive', async () => {
    const { thread, worker } = started();
    expect(worker.unref).toHaveBeenCalledOnce();
    await thread.end();
  });

  it('does nothing if it ends before it is ready', async () => {
    const { thread, worker } = started();
    worker.emit('exit', 1);
    expect(await thread.resolve(job)).toBeUndefined();
  });

  it.each([
    ['ends', 'exit', 3, 'a thread has ended with code 3'],
    ['throws', 'error', new Error('out of memory'), 'out of memory'],
    ['cannot read a message', 'messageerror', new Error('broken'), 'broken'],
    ['tells of a failure', 'message', { failure: 'no such file' }, 'no such file'],
  ])('fails if the worker %s', async (_, event, value, message) => {
    const { thread, worker } = started();
    worker.emit('message', 'ready');
    const resolving = thread.resolve(job);
    await vi.advanceTimersByTimeAsync(0);
    worker.emit(event, value);
    await expect(resolving).rejects.toThrow(message);
  });

  it('is ended a second after its work was stopped, even if it does not answer', async () => {
    const { thread, worker, ended } = started();
    worker.emit('message', 'ready');
    const resolving = thread.resolve(job).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(0);
    const ending = thread.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await ending;
    expect(await resolving).toBeInstanceOf(Error);
    expect(ended).toHaveBeenCalledOnce();
  });
});
