import { fromBase64url, toBase64url } from './base64url.ts';

/**
 * A URL-safe text that holds another text and a check sum over it and a query, so that a damaged one and one of another
 * query are told apart from a good one. It needs no secret: who makes one up gets no more than another place in his own
 * list.
 */
export async function sealText(text: string, query: readonly string[]): Promise<string> {
  const content = new TextEncoder().encode(text);
  const bytes = new Uint8Array(sumBytes + content.length);
  bytes.set(await checkSum(content, query));
  bytes.set(content, sumBytes);
  return toBase64url(bytes);
}

/** The text that was sealed; `undefined` if that was not for this query. Anyone can make up a right sum for any text. */
export async function openSealedText(sealed: string, query: readonly string[]): Promise<string | undefined> {
  const bytes = fromBase64url(sealed);
  if (bytes === undefined || bytes.length <= sumBytes) return undefined;
  const content = bytes.subarray(sumBytes);
  const expected = await checkSum(content, query);
  return expected.every((byte, i) => byte === bytes[i]) ? new TextDecoder().decode(content) : undefined;
}

/** The JSON value that a text holds; `undefined` if it holds none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes of the check sum. */
export const sumBytes = 12;

async function checkSum(content: Uint8Array, query: readonly string[]): Promise<Uint8Array> {
  const text = JSON.stringify([...query, new TextDecoder().decode(content)]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).subarray(0, sumBytes);
}
