/** Number of bytes at the start of a file in which Git looks for a NUL byte. */
const binaryPrefix = 8000;

/** Maximum size of a file that is compared by its content: `core.bigFileThreshold` of Git. */
export const comparedFileMax: number = 32 * 1024 * 1024;

/** Tests if Git counts this content as binary. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, binaryPrefix).includes(0);
}
