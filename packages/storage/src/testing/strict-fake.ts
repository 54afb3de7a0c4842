import { StorageError, type PackFile, type PackId, type PackStore } from '@packhouse/git';
import { bucketPackStore } from '../bucket/pack-store.ts';
import { memoryPackHolders } from '../packs/holders.ts';
import { memoryPackReservations } from '../packs/reservations.ts';
import { StrictBucket, strictSizedStream, type StrictBucketOptions } from './strict-bucket.ts';

export interface StrictFakeOptions extends StrictBucketOptions {
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Makes the pack store of Workers over a {@link StrictBucket}, for tests. It refuses what object storage refuses, and
 * requires ids of `reserve`. Overwrites a chunk of a stream as soon as the next one is requested.
 */
export function strictFakePackStore(options: StrictFakeOptions = {}): PackStore {
  const reserved = new Set<PackId>();
  const store = bucketPackStore({
    bucket: new StrictBucket(options),
    account: 'account',
    repoId: 'repo',
    reservations: memoryPackReservations(),
    holders: memoryPackHolders(),
    openStream: strictSizedStream,
    sleep: async () => undefined,
    ...(options.now === undefined ? {} : { now: options.now }),
  });
  const demandReserved = (id: PackId): void => {
    if (!reserved.has(id)) throw new StorageError(`Pack ${id} is not reserved`);
  };
  return {
    partSize: store.partSize,
    reserve: async () => {
      const id = await store.reserve();
      reserved.add(id);
      return id;
    },
    put: async (id: PackId, file: PackFile, chunks: readonly Uint8Array[]) => {
      demandReserved(id);
      await store.put(id, file, chunks);
    },
    upload: async (id) => {
      demandReserved(id);
      return store.upload(id);
    },
    read: (id, file, ranges) => store.read(id, file, ranges),
    stream: (id, start, end) => store.stream(id, start, end),
    framed: (id) => store.framed(id),
    remove: async (id) => {
      await store.remove(id);
      reserved.delete(id);
    },
    leftovers: (before) => store.leftovers(before),
  };
}
