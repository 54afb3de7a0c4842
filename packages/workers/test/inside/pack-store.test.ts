import { testPackStore } from '@packhouse/git/contract';
import { newRepo } from './repo.ts';

testPackStore(
  'workerd, R2',
  async () => {
    const [one, other] = [await newRepo(), await newRepo()];
    return { open: () => one.packs(), openOther: () => other.packs(), close: () => undefined };
  },
  { refusesSecondPut: true, removesUnfinished: false },
);
