/** The values of the digits by their character codes; others have none. */
const digits = new Int8Array(256).fill(-1);
for (const [value, digit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  digits[digit.charCodeAt(0)] = value;
}
const space = new Set([...'\t\n\f\r '].map((one) => one.charCodeAt(0)));
const padding = '='.charCodeAt(0);

/**
 * Decodes base64 in place, as `atob` does (RFC 4648 §4): white space is skipped, and padding may be absent. Returns
 * undefined for other text.
 */
export function decodeBase64(pieces: readonly Uint8Array[]): Uint8Array[] | undefined {
  let bits = 0;
  let count = 0;
  let padded = 0;
  const decoded: Uint8Array[] = [];
  for (const piece of pieces) {
    let end = 0;
    for (let at = 0; at < piece.length;) {
      if (count % 4 === 0 && padded === 0) {
        // Four digits at once: nearly the whole text.
        for (; at + 4 <= piece.length; at += 4) {
          bits =
            ((digits[piece[at] as number] as number) << 18) |
            ((digits[piece[at + 1] as number] as number) << 12) |
            ((digits[piece[at + 2] as number] as number) << 6) |
            (digits[piece[at + 3] as number] as number);
          // One of them is no digit.
          if (bits < 0) break;
          piece[end++] = bits >> 16;
          piece[end++] = bits >> 8;
          piece[end++] = bits;
        }
      }
      if (at === piece.length) break;
      const byte = piece[at++] as number;
      const digit = digits[byte] as number;
      if (digit >= 0 && padded === 0) {
        bits = ((bits << 6) | digit) & 0xffff;
        count += 1;
        // The first digit of four makes no byte whole.
        if (count % 4 !== 1) piece[end++] = bits >> (2 * (4 - (count % 4 || 4)));
      } else if (byte === padding) padded += 1;
      else if (!space.has(byte)) return undefined;
    }
    decoded.push(piece.subarray(0, end));
  }
  const isWhole = padded === 0 ? count % 4 !== 1 : padded <= 2 && (count + padded) % 4 === 0;
  return isWhole ? decoded : undefined;
}
