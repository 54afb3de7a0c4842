import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PackError } from '../pack/pack-error.ts';
import type {
  DeltaJob,
  LeftFamily,
  ListJob,
  ListShare,
  ReceivingThread,
  ReceivingThreads,
} from '../pack/receive/receiving-threads.ts';

/** A request to a thread. */
export type ThreadJob = { readonly deltas: DeltaJob } | { readonly lists: ListJob };

/** A message of a thread: it can begin, or the result of a job, or the texts of a {@link PackError}. */
export type ThreadMessage =
  | 'ready'
  | { readonly result: unknown }
  | { readonly refusal: readonly [reason: string, commandReason: string] };

const mebibyte = 1024 * 1024;
/** MiB of a thread's heap. */
const resourceLimits = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 4 };

/** Threads for Node, Deno and Bun: one at a time. `leastObjects` of a pack, default 32,768. */
export function nodeReceivingThreads(leastObjects: number = 32 * 1024): ReceivingThreads {
  let isTaken = false;
  return {
    leastObjects,
    memory: 64 * mebibyte,
    start() {
      if (isTaken) return undefined;
      isTaken = true;
      return new NodeReceivingThread(() => (isTaken = false));
    },
  };
}

class NodeReceivingThread implements ReceivingThread {
  readonly #worker: Worker;
  readonly #ended: () => void;
  /** Rejects when the thread ends. */
  readonly #failure: Promise<never>;
  readonly #isReady: Promise<boolean>;

  constructor(ended: () => void) {
    this.#ended = ended;
    // Sources and packages have different extensions.
    const file = new URL(`receiving-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = (this.#worker = new Worker(file, { resourceLimits }));
    worker.unref();
    this.#failure = new Promise((_resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('a thread has ended')));
    });
    this.#isReady = this.#message().then(
      () => true,
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
    await this.#worker.terminate();
    this.#ended();
  }

  async #ask(job: ThreadJob): Promise<unknown> {
    const answer = this.#message();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(job);
    const message = await answer;
    if (message === 'ready') throw new Error('a thread is ready twice');
    if ('refusal' in message) throw new PackError(...message.refusal);
    return message.result;
  }

  /** The next message. Rejects if the thread ends. */
  #message(): Promise<ThreadMessage> {
    const next = new Promise<ThreadMessage>((resolve) => this.#worker.once('message', resolve));
    return Promise.race([next, this.#failure]);
  }
}
