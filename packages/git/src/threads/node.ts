import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ReceivingThreads } from '../pack/receive/receiving-threads.ts';
import { WorkerThread } from './worker-thread.ts';

/** Threads for Node, Deno and Bun: one at a time. `leastObjects` of a pack, default 32,768. */
export function nodeReceivingThreads(leastObjects: number = 32 * 1024): ReceivingThreads {
  let isTaken = false;
  return {
    leastObjects,
    memory: 64 * 1024 * 1024,
    start() {
      if (isTaken) return undefined;
      try {
        if (availableParallelism() < 2) return undefined;
        // Sources and packages have different extensions. Vite takes a template in place of the name for a glob.
        const name = `receiving-worker${extname(import.meta.url)}`;
        // Deno loses messages to a thread that has limits.
        const worker = new Worker(new URL(name, import.meta.url));
        const thread = new WorkerThread(worker, () => (isTaken = false));
        isTaken = true;
        return thread;
      } catch {
        // The process may have no permission for it.
        return undefined;
      }
    },
  };
}
