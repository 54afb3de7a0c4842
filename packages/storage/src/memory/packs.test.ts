import { testPackStore } from '@packhouse/git/contract';
import { memoryPackStore } from './packs.ts';

testPackStore(
  'memory',
  () => {
    const [store, other] = [memoryPackStore(), memoryPackStore()];
    return { open: () => store, openOther: () => other, close: () => undefined };
  },
  { refusesSecondPut: true, removesUnfinished: true },
);
