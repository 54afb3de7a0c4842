import { PackTable } from './pack-table.ts';

/** The table of a pack whose ids are not sorted, at once. */
export function madeTable(oids: Uint8Array, offsets: Uint32Array | Float64Array): PackTable {
  const id = (ordinal: number): Uint8Array => oids.subarray(20 * ordinal, 20 * ordinal + 20);
  const ordinals = Array.from({ length: offsets.length - 1 }, (_, ordinal) => ordinal);
  return new PackTable(oids, offsets, Uint32Array.from(ordinals.sort((a, b) => Buffer.compare(id(a), id(b)) || a - b)));
}
