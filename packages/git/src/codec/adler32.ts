/** Number of bytes after which the 32-bit sums can overflow (RFC 1950, section 8). */
const stretch = 5552;
const base = 65_521;

/** Adler-32 of `bytes`, continued from `seed` (1 at the start). */
export function adler32(bytes: Uint8Array, seed: number): number {
  let low = seed & 0xffff;
  let high = seed >>> 16;
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(at + stretch, bytes.length);
    for (; at < end; at++) {
      low += bytes[at] as number;
      high += low;
    }
    low %= base;
    high %= base;
  }
  return ((high << 16) | low) >>> 0;
}
