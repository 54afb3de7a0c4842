import { testPackStore } from '../contract/pack-store.ts';
import { memoryPackStore } from './memory.ts';

testPackStore(
  'memory',
  () => {
    const [store, other] = [memoryPackStore(), memoryPackStore()];
    return { open: () => store, openOther: () => other, close: () => undefined };
  },
  { refusesSecondPut: true, removesUnfinished: true },
);
