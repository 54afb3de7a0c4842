import type { Worker } from 'node:worker_threads';
import { within } from '../work/within.ts';
import { PackError } from '../pack/pack-error.ts';
import type { DeltaJob, LeftFamily, ListJob, ListShare, ReceivingThread } from '../pack/receive/receiving-threads.ts';

/** A request to a thread. */
export type ThreadJob = { readonly deltas: DeltaJob } | { readonly lists: ListJob };

/** A message of a thread: it can begin, or the result of a job, or the texts of a {@link PackError}, or a failure. */
export type ThreadMessage =
  | 'ready'
  | { readonly result: unknown }
  | { readonly refusal: readonly [reason: string, commandReason: string] }
  | { readonly failure: string };

/** Milliseconds in which a thread gets ready. After them it counts as one that cannot start. */
const startingMax = 10_000;
/** Milliseconds in which a thread whose work was stopped can close its file. */
const stoppingMax = 1000;

/** A thread of Node, Deno or Bun. `ended` is called when it has ended. */
export class WorkerThread implements ReceivingThread {
  readonly #worker: Worker;
  readonly #ended: () => void;
  /** Rejects when the thread ends. */
  readonly #failure: Promise<never>;
  readonly #isReady: Promise<boolean>;
  /** Settles when no job is at work. */
  #job: Promise<unknown> = Promise.resolve();

  constructor(worker: Worker, ended: () => void) {
    this.#worker = worker;
    this.#ended = ended;
    worker.unref();
    this.#failure = new Promise((_resolve, reject) => {
      worker.on('error', reject);
      worker.on('messageerror', reject);
      worker.once('exit', (code) => reject(new Error(`a thread has ended with code ${code}`)));
    });
    this.#isReady = within(startingMax, this.#message()).then(
      (message) => message !== undefined,
      () => false,
    );
  }

  async resolve(deltas: DeltaJob): Promise<readonly LeftFamily[] | undefined> {
    if (!(await this.#isReady)) return undefined;
    return (await this.#ask({ deltas })) as readonly LeftFamily[];
  }

  async collect(lists: ListJob): Promise<ListShare> {
    return (await this.#ask({ lists })) as ListShare;
  }

  async end(): Promise<void> {
    try {
      await within(
        stoppingMax,
        this.#job.catch(() => {}),
      );
      await this.#worker.terminate();
    } finally {
      this.#ended();
    }
  }

  #ask(job: ThreadJob): Promise<unknown> {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(job);
    const answer = this.#message().then((message) => {
      if (message === 'ready') throw new Error('a thread is ready twice');
      if ('failure' in message) throw new Error(message.failure);
      if ('refusal' in message) throw new PackError(...message.refusal);
      return message.result;
    });
    this.#job = answer;
    return answer;
  }

  /** The next message. Rejects if the thread ends. */
  #message(): Promise<ThreadMessage> {
    const next = new Promise<ThreadMessage>((resolve) => this.#worker.once('message', resolve));
    return Promise.race([next, this.#failure]);
  }
}
