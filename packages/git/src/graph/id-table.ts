import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';

/** Rank of the 20 bytes at `at` of `wanted` in a sorted table of ids; -1 if they are not in it. */
export function findInIdTable(table: Uint8Array, wanted: Uint8Array, at: number): number {
  let low = 0;
  let high = table.length / objectIdBytes;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareObjectIds(table, middle * objectIdBytes, wanted, at);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}
