import { collectShare } from '../graph/make/collect-share.ts';
import type { MemoryStore } from '../pack/memory-store.test.util.ts';
import { memorySource } from '../pack/read/pack-source.ts';
import { PackHelper } from '../pack/receive/pack-helper.ts';
import type { ListJob, DeltaJob, ReceivingThread, ReceivingThreads } from '../pack/receive/receiving-threads.ts';
import type { Codec } from '../ports/codec.ts';
import type { PackStore } from '../ports/pack-store.ts';

/** Makes the packs of a store known to threads by their id. */
export function withPaths(store: MemoryStore): PackStore & MemoryStore {
  return Object.assign(store, { path: (id: string) => id });
}

/** Does in this thread what another one would do, for packs of {@link withPaths}. */
export function localThreads(store: MemoryStore, codec: Codec, memory = 0): ReceivingThreads {
  return {
    memory,
    leastObjects: 1,
    start() {
      let helper: PackHelper | undefined;
      return {
        resolve: async (job) => {
          const bytes = store.files.get(`${job.file}.pack`) as Uint8Array;
          helper = new PackHelper(job, codec, memorySource([bytes], bytes.length));
          return helper.resolve();
        },
        collect: (job) => collectShare(job, helper as PackHelper),
        end: () => Promise.resolve(),
      };
    },
  };
}

/** Numbers of threads, and of the jobs that they were given. */
export interface Given {
  started: number;
  ended: number;
  families: number;
  /** Families with something that the thread did not make. */
  left: number;
  nodes: number;
}

/** Gives threads all that there is to do, before the one that receives can take anything. */
export function greedy(threads: ReceivingThreads): { readonly threads: ReceivingThreads; readonly given: Given } {
  const given: Given = { started: 0, ended: 0, families: 0, left: 0, nodes: 0 };
  const own = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
  const start = (): ReceivingThread | undefined => {
    const thread = threads.start();
    if (thread === undefined) return undefined;
    given.started++;
    return {
      resolve: async (job: DeltaJob) => {
        const { roots, next } = job.queue;
        Atomics.store(next, 0, roots.length);
        given.families += roots.length;
        const left = await thread.resolve({ ...job, queue: { roots, next: own() } });
        given.left += left?.length ?? 0;
        return left;
      },
      collect: (job: ListJob) => {
        Atomics.store(job.next, 0, job.places.length);
        given.nodes += job.places.length;
        return thread.collect({ ...job, next: own() });
      },
      end: async () => {
        given.ended++;
        await thread.end();
      },
    };
  };
  return { threads: { ...threads, start }, given };
}
