import type { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeltaJob, ReceivingThread } from '../pack/receive/receiving-threads.ts';
import { nodeReceivingThreads } from './node.ts';

/** A worker that does only what a test makes it do. */
const { SilentWorker, workers } = await vi.hoisted(async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  const made: EventEmitter[] = [];
  return {
    workers: made,
    SilentWorker: class extends Emitter {
      constructor() {
        super();
        made.push(this);
      }
      unref(): void {}
      postMessage(): void {}
      async terminate(): Promise<void> {
        this.emit('exit', 1);
      }
    },
  };
});
vi.mock('node:worker_threads', () => ({ Worker: SilentWorker }));
vi.mock('node:os', { spy: true });

const job = {} as DeltaJob;

beforeEach(() => {
  vi.mocked(availableParallelism).mockReturnValue(2);
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

function started(): { readonly thread: ReceivingThread; readonly worker: EventEmitter } {
  const thread = nodeReceivingThreads().start() as ReceivingThread;
  return { thread, worker: workers.at(-1) as EventEmitter };
}

describe('GIT-195: a thread of Node', () => {
  it('is not started with one processor', () => {
    vi.mocked(availableParallelism).mockReturnValue(1);
    expect(nodeReceivingThreads().start()).toBeUndefined();
  });

  it('does nothing if it is not ready within ten seconds', async () => {
    const { thread, worker } = started();
    const resolving = thread.resolve(job);
    await vi.advanceTimersByTimeAsync(10_000);
    worker.emit('message', 'ready');
    expect(await resolving).toBeUndefined();
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
    const threads = nodeReceivingThreads();
    const thread = threads.start() as ReceivingThread;
    workers.at(-1)?.emit('message', 'ready');
    const resolving = thread.resolve(job).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(0);
    const ending = thread.end();
    await vi.advanceTimersByTimeAsync(999);
    expect(threads.start()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await ending;
    expect(await resolving).toBeInstanceOf(Error);
    expect(threads.start()).toBeDefined();
  });
});
