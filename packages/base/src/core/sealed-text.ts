import { fromBase64url, toBase64url } from './base64url.ts';

/**
 * Encodes a text as one URL-safe text with a checksum over the text and a query. {@link openSealedText} rejects a
 * damaged result, and a result for another query. The checksum needs no secret: a client that forges one only reaches
 * another position in its own list.
 */
export async function sealText(text: string, query: readonly string[]): Promise<string> {
  const content = new TextEncoder().encode(text);
  const bytes = new Uint8Array(sumBytes + content.length);
  bytes.set(await checkSum(content, query));
  bytes.set(content, sumBytes);
  return toBase64url(bytes);
}

/**
 * Returns the sealed text, or `undefined` if the checksum does not match this query. Not authenticated: anyone can
 * compute a valid checksum for any text.
 */
export async function openSealedText(sealed: string, query: readonly string[]): Promise<string | undefined> {
  const bytes = fromBase64url(sealed);
  if (bytes === undefined || bytes.length <= sumBytes) return undefined;
  const content = bytes.subarray(sumBytes);
  const expected = await checkSum(content, query);
  return expected.every((byte, i) => byte === bytes[i]) ? new TextDecoder().decode(content) : undefined;
}

/** Parses JSON. Returns `undefined` if the text is malformed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Length of the checksum in bytes. */
export const sumBytes = 12;

async function checkSum(content: Uint8Array, query: readonly string[]): Promise<Uint8Array> {
  const text = JSON.stringify([...query, new TextDecoder().decode(content)]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).subarray(0, sumBytes);
}
