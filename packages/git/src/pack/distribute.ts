import { inBlocks } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

/** Numbers in buckets. */
export interface Buckets {
  /** By bucket: where its numbers begin; behind the last one how many there are in all. */
  readonly starts: Uint32Array;
  /** Those of one bucket behind those of the one before, and in each in ascending order. */
  readonly numbers: Uint32Array;
}

/** Distributes the numbers 0 to `count` - 1 to buckets: the first step of a sort that others can interrupt. */
export async function distribute(
  work: Work,
  count: number,
  buckets: number,
  bucketOf: (number: number) => number,
): Promise<Buckets> {
  const starts = new Uint32Array(buckets + 1);
  await inBlocks(work, count, (from, to) => {
    for (let i = from; i < to; i++) {
      const bucket = bucketOf(i) + 1;
      starts[bucket] = (starts[bucket] as number) + 1;
    }
  });
  for (let i = 1; i <= buckets; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
  const numbers = new Uint32Array(count);
  const next = starts.slice();
  await inBlocks(work, count, (from, to) => {
    for (let i = from; i < to; i++) {
      const bucket = bucketOf(i);
      const place = next[bucket] as number;
      numbers[place] = i;
      next[bucket] = place + 1;
    }
  });
  return { starts, numbers };
}
