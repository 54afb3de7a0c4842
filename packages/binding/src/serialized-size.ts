/**
 * Estimates the maximum number of bytes of plain objects, arrays, texts and numbers in V8's structured clone format. A
 * text takes one or two bytes per unit, and each value has a tag and a length.
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

/** Bytes for a tag, a length and padding, or for a number with its tag. */
const overhead = 9;
/** Bytes of a list or object besides its contents. */
export const listOverhead: number = 2 * overhead;

function isLatin1(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\xff]*$/.test(text);
}
