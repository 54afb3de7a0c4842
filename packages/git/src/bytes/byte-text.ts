/**
 * Byte texts: bytes as a string with one character per byte (U+0000 to U+00FF). Paths of trees may be any bytes; in this
 * form they are keys of maps, and compare like the bytes.
 */

/** Bytes per call: more arguments could exceed the stack. */
const portion = 4096;

/** Returns the text of `bytes[from..to)`. */
export function toByteText(bytes: Uint8Array, from = 0, to: number = bytes.length): string {
  let text = '';
  for (let at = from; at < to; at += portion) {
    text += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(at + portion, to)) as unknown as number[]);
  }
  return text;
}

/** Returns the bytes of a byte text. */
export function fromByteText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
