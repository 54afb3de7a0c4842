import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { inBlocks } from '../work/loops.ts';

/** Above this many ids with the same first two bytes, which only a contrived pack has, sorting by insertion is too slow. */
const insertionMax = 64;
/** Above this many, sorting them in one go would take too long. */
const nativeMax = 4096;

/**
 * The numbers 0 to `count` - 1, ordered by the ids that stand behind each other in `oids`; equal ids in ascending
 * order, as each step keeps it. Ids are evenly spread, so a distribution by two bytes leaves next to nothing to compare.
 */
export async function sortIds(oids: Uint8Array, count: number, work: Work): Promise<Uint32Array> {
  const isWide = count > 4096;
  const { starts, numbers } = isWide
    ? await distribute(work, count, 65_536, (i) => (byteOf(oids, i, 0) << 8) | byteOf(oids, i, 1))
    : await distribute(work, count, 256, (i) => byteOf(oids, i, 0));
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const start = starts[bucket] as number;
    const end = starts[bucket + 1] as number;
    if (end - start > nativeMax) {
      await sortByBytes(oids, numbers, start, end, isWide ? 2 : 1, work);
      continue;
    }
    sortFew(oids, numbers, start, end);
    if (work.spend(cost.edges, 1 + 2 * (end - start))) await work.yield();
  }
  return numbers;
}

/** Sorts many ids that share their first bytes, by one byte after the other. */
async function sortByBytes(
  oids: Uint8Array,
  sorted: Uint32Array,
  from: number,
  to: number,
  shared: number,
  work: Work,
): Promise<void> {
  const open = [{ start: from, end: to, byte: shared }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { start, end, byte } = part;
    if (byte === objectIdBytes) continue;
    if (end - start <= nativeMax) {
      sortFew(oids, sorted, start, end);
      if (work.spend(cost.edges, 8 * (end - start))) await work.yield();
      continue;
    }
    const before = sorted.slice(start, end);
    const { starts, numbers } = await distribute(work, before.length, 256, (i) =>
      byteOf(oids, before[i] as number, byte),
    );
    for (let i = 0; i < numbers.length; i++) sorted[start + i] = before[numbers[i] as number] as number;
    for (let value = 0; value < 256; value++) {
      const [first, last] = [starts[value] as number, starts[value + 1] as number];
      if (last - first > 1) open.push({ start: start + first, end: start + last, byte: byte + 1 });
    }
  }
}

function byteOf(oids: Uint8Array, number: number, byte: number): number {
  return oids[number * objectIdBytes + byte] as number;
}

function sortFew(oids: Uint8Array, numbers: Uint32Array, start: number, end: number): void {
  const compare = (a: number, b: number): number => compareObjectIds(oids, a * objectIdBytes, oids, b * objectIdBytes);
  if (end - start > insertionMax) {
    numbers.subarray(start, end).sort(compare);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const number = numbers[i] as number;
    let at = i;
    for (; at > start && compare(numbers[at - 1] as number, number) > 0; at--) numbers[at] = numbers[at - 1] as number;
    numbers[at] = number;
  }
}

/** Numbers in buckets. */
interface Buckets {
  /** By bucket: where its numbers begin; behind the last one how many there are in all. */
  readonly starts: Uint32Array;
  /** Those of one bucket behind those of the one before, and in each in ascending order. */
  readonly numbers: Uint32Array;
}

/** Distributes the numbers 0 to `count` - 1 to buckets: the first step of a sort that others can interrupt. */
async function distribute(
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
