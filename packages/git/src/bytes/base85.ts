/** Digits of the base 85 that Git writes binary patches in. */
const digits = new TextEncoder().encode(
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~',
);

/** Digits of each group of bytes, of which the last one is filled with zeros. */
const [groupBytes, groupDigits] = [4, 5];

/** Returns the length of what {@link writeBase85} writes for so many bytes. */
export function base85Length(bytes: number): number {
  return groupDigits * Math.ceil(bytes / groupBytes);
}

/** Writes `bytes[from..to)` in base 85 to `output` from `at` on. */
export function writeBase85(bytes: Uint8Array, from: number, to: number, output: Uint8Array, at: number): void {
  let end = at;
  for (let i = from; i < to; i += groupBytes) {
    let value = 0;
    for (let j = i; j < i + groupBytes; j++) value = value * 256 + (j < to ? (bytes[j] as number) : 0);
    end += groupDigits;
    for (let digit = 1; digit <= groupDigits; digit++) {
      const rest = Math.floor(value / 85);
      output[end - digit] = digits[value - 85 * rest] as number;
      value = rest;
    }
  }
}
