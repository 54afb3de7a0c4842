import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';

/** Above this many ids with the same first two bytes, which only a contrived pack has, sorting by insertion is too slow. */
const insertionMax = 64;

/**
 * The numbers 0 to `count` - 1, ordered by the ids that stand behind each other in `oids`; equal ids in ascending
 * order, as each step keeps it. Ids are evenly spread, so a distribution by two bytes leaves next to nothing to compare.
 */
export function sortIds(oids: Uint8Array, count: number): Uint32Array {
  const wide = count > 4096;
  const starts = new Uint32Array(wide ? 65537 : 257);
  const bucketOf = (i: number): number => {
    const at = i * objectIdBytes;
    return wide ? ((oids[at] as number) << 8) | (oids[at + 1] as number) : (oids[at] as number);
  };
  for (let i = 0; i < count; i++) {
    const bucket = bucketOf(i) + 1;
    starts[bucket] = (starts[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket++) {
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  }
  const sorted = new Uint32Array(count);
  const next = starts.slice();
  for (let i = 0; i < count; i++) {
    const bucket = bucketOf(i);
    const place = next[bucket] as number;
    sorted[place] = i;
    next[bucket] = place + 1;
  }
  const compare = (a: number, b: number): number => compareObjectIds(oids, a * objectIdBytes, oids, b * objectIdBytes);
  for (let bucket = 0; bucket + 1 < starts.length; bucket++) {
    const start = starts[bucket] as number;
    const end = starts[bucket + 1] as number;
    if (end - start > insertionMax) sorted.subarray(start, end).sort(compare);
    else insertionSort(sorted, start, end, compare);
  }
  return sorted;
}

function insertionSort(
  numbers: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  for (let i = start + 1; i < end; i++) {
    const number = numbers[i] as number;
    let at = i;
    for (; at > start && compare(numbers[at - 1] as number, number) > 0; at--) numbers[at] = numbers[at - 1] as number;
    numbers[at] = number;
  }
}
