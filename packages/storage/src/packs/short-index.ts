import { joined } from './buffer-list.ts';

/**
 * The index of a small pack without its fan-out table (gitformat-pack, version 2), which alone has 1,024 bytes: most of
 * what a small push would write. The first byte tells the form.
 */
const whole = 0;
const shortened = 1;

/** Magic number and version. */
const head = Uint8Array.of(0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2);
const tableBytes = 1_024;
const idBytes = 20;
/** Number of objects from which on the table is not worth the work. */
const objectsMax = 256;

/** Returns the form of an index for a row. */
export function shortenIndex(idx: Uint8Array): Uint8Array {
  const ids = head.length + tableBytes;
  const count = idx.length < ids ? Infinity : new DataView(idx.buffer, idx.byteOffset).getUint32(ids - 4);
  const isKnown =
    count < objectsMax &&
    idx.length >= ids + count * idBytes &&
    head.every((byte, i) => idx[i] === byte) &&
    fanOut(idx.subarray(ids), count).every((byte, i) => idx[head.length + i] === byte);
  if (!isKnown) return joined([Uint8Array.of(whole), idx]);
  return joined([Uint8Array.of(shortened, count), idx.subarray(ids)]);
}

/** Returns the index that {@link shortenIndex} was given. */
export function restoreIndex(row: Uint8Array): Uint8Array {
  if (row[0] === whole) return row.slice(1);
  const rest = row.subarray(2);
  return joined([head, fanOut(rest, row[1] as number), rest]);
}

/** Makes the fan-out table of sorted ids. */
function fanOut(ids: Uint8Array, count: number): Uint8Array {
  const table = new DataView(new ArrayBuffer(tableBytes));
  for (let first = 0, id = 0; first < 256; first++) {
    while (id < count && (ids[id * idBytes] as number) <= first) id++;
    table.setUint32(4 * first, id);
  }
  return new Uint8Array(table.buffer);
}
