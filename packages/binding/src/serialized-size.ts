/**
 * Bytes that a value of plain objects, arrays, texts and numbers takes at most when it is sent by structured cloning, as
 * V8 writes it: a text takes one byte or two for each of its units, and everything has a tag and a length.
 */
export function serializedSize(value: unknown): number {
  if (typeof value === 'string') return overhead + (isLatin1(value) ? value.length : 2 * value.length);
  if (typeof value !== 'object' || value === null) return overhead;
  let size = listOverhead;
  if (Array.isArray(value)) {
    for (const item of value) size += serializedSize(item);
    return size;
  }
  for (const [key, member] of Object.entries(value)) size += overhead + key.length + serializedSize(member);
  return size;
}

/** Tag, length and padding, or a number with its tag. */
const overhead = 9;
/** Bytes that a list or an object takes besides its contents. */
export const listOverhead: number = 2 * overhead;

function isLatin1(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\xff]*$/.test(text);
}
