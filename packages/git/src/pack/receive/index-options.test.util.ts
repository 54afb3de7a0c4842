import { nodeCodec } from '../../codec/node.ts';
import type { PackStore } from '../../ports/pack-store.ts';
import { Scheduler } from '../../work/scheduler.ts';
import type { IndexOptions } from './incoming-pack.ts';

const codec = nodeCodec();

/** Options that let in all that tests send. */
export function indexOptions(store: PackStore, more: Partial<IndexOptions> = {}): IndexOptions {
  return {
    codec,
    store,
    blobMax: 1 << 25,
    commitMax: 1 << 20,
    chainMax: 2 ** 31,
    objectMax: 1 << 25,
    chainDepthMax: 4095,
    memoryMax: 64 << 20,
    work: new Scheduler().begin(),
    strict: true,
    stored: () => undefined,
    storedNumber: () => -1,
    visit: () => undefined,
    ...more,
  };
}
