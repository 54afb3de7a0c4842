/** Tests `length` bytes from `aStart` and from `bStart` on for equality; false if either has fewer. */
export function bytesEqual(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  if (aStart + length > a.length || bStart + length > b.length) return false;
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}
