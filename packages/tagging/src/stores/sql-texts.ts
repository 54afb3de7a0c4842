/**
 * SQL that reads a text which may begin with U+FEFF: some drivers take that for a mark of byte order and leave it out,
 * so there is another character before it. {@link readText} is the other half.
 */
export function selectText(column: string): string {
  return `'=' || ${column}`;
}

export function readText(text: string): string {
  return text.slice(1);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A text that may hold U+0000 is kept as bytes: Deno ends texts there. */
export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export function fromBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
