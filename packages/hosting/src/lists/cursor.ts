import { fromBase64url, toBase64url } from '../internal/base64url.ts';
import { nameMax } from '../names/name-max.ts';
import type { Place } from '../ports/catalog.ts';

/**
 * Cursors: URL-safe texts that hold a place in a list and a check sum over place and query, so that a damaged one and
 * one of another query are told apart from a good one (REPO-093). They need no secret: who makes one up gets no more
 * than another place in his own list.
 */
export async function writeCursor(place: Place, query: readonly string[]): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify([place.key, place.tie]));
  const bytes = new Uint8Array(sumBytes + json.length);
  bytes.set(await checkSum(json, query));
  bytes.set(json, sumBytes);
  return toBase64url(bytes);
}

/** The place a cursor stands for; `undefined` if it is not one of this query. */
export async function readCursor(
  cursor: string,
  query: readonly string[],
  keyType: 'number' | 'string',
): Promise<Place | undefined> {
  if (cursor.length > cursorMax) return undefined;
  const bytes = fromBase64url(cursor);
  if (bytes === undefined || bytes.length <= sumBytes) return undefined;
  const json = bytes.subarray(sumBytes);
  const expected = await checkSum(json, query);
  if (!expected.every((byte, i) => byte === bytes[i])) return undefined;
  const [key, tie] = readPlace(new TextDecoder().decode(json));
  const fits = keyType === 'number' ? Number.isSafeInteger(key) : typeof key === 'string';
  return fits && typeof tie === 'string' ? { key: key as number | string, tie } : undefined;
}

/** Anyone can make up a right sum, so the text under it may be any. */
function readPlace(json: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(json);
    return Array.isArray(place) ? place : [];
  } catch {
    return [];
  }
}

const sumBytes = 12;
/** Above what the longest names give: names are ASCII, and beside one stand a time or an id in 32 characters at most. */
const cursorMax = Math.ceil(((sumBytes + nameMax + 32) * 4) / 3);

async function checkSum(json: Uint8Array, query: readonly string[]): Promise<Uint8Array> {
  const text = JSON.stringify([...query, new TextDecoder().decode(json)]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).subarray(0, sumBytes);
}
