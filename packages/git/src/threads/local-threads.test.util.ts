import { collectShare } from '../graph/make/collect-share.ts';
import type { Codec } from '../ports/codec.ts';
import type { PackStore } from '../ports/pack-store.ts';
import type { MemoryStore } from '../pack/memory-store.test.util.ts';
import { memorySource } from '../pack/read/pack-source.ts';
import { PackHelper } from '../pack/receive/pack-helper.ts';
import type { ReceivingThread, ReceivingThreads } from '../pack/receive/receiving-threads.ts';

/** Makes the packs of a store known to threads by their id. */
export function withPaths(store: MemoryStore): PackStore & MemoryStore {
  return Object.assign(store, { path: (id: string) => id });
}

/** Does what another thread would do, for packs of {@link withPaths}. Counts what it did. */
export class LocalThreads implements ReceivingThreads {
  readonly memory = 0;
  readonly leastObjects = 1;
  started = 0;
  ended = 0;
  lists = 0;
  readonly #store: MemoryStore;
  readonly #codec: Codec;
  readonly #canStart: boolean;

  constructor(store: MemoryStore, codec: Codec, canStart = true) {
    this.#store = store;
    this.#codec = codec;
    this.#canStart = canStart;
  }

  start(): ReceivingThread {
    let helper: PackHelper | undefined;
    this.started++;
    return {
      resolve: async (job) => {
        if (!this.#canStart) return undefined;
        const bytes = this.#store.files.get(`${job.file}.pack`) as Uint8Array;
        helper = new PackHelper(job, this.#codec, memorySource([bytes], bytes.length));
        return helper.resolve();
      },
      collect: async (job) => {
        const share = await collectShare(job, helper as PackHelper);
        this.lists += share.nodes.length;
        return share;
      },
      end: async () => {
        this.ended++;
      },
    };
  }
}
