/**
 * SQL that selects a text which may begin with U+FEFF. Some drivers drop that as a byte order mark, so the SQL puts
 * another character first. {@link readText} removes it.
 */
export function selectText(column: string): string {
  return `'=' || ${column}`;
}

export function readText(text: string): string {
  return text.slice(1);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Encodes a text that may contain U+0000: Deno would end it there. */
export function toBytes(text: string): Uint8Array {
  return encoder.encode(text);
}

export function fromBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
