import { nameMax } from '../names/name-max.ts';
import type { Place } from '../ports/catalog.ts';
import { openSealedText, parseJson, sealText, sumBytes } from '@packhouse/base';

/** A cursor for a place in a list: the next page of the same query begins after it (REPO-093). */
export function writeCursor(place: Place, query: readonly string[]): Promise<string> {
  return sealText(JSON.stringify([place.key, place.tie]), query);
}

/** The place a cursor stands for; `undefined` if it is not one of this query. */
export async function readCursor(
  cursor: string,
  query: readonly string[],
  keyType: 'number' | 'string',
): Promise<Place | undefined> {
  if (cursor.length > cursorMax) return undefined;
  const json = await openSealedText(cursor, query);
  const place = json === undefined ? undefined : parseJson(json);
  const [key, tie] = Array.isArray(place) ? (place as unknown[]) : [];
  const fits = keyType === 'number' ? Number.isSafeInteger(key) : typeof key === 'string';
  return fits && typeof tie === 'string' ? { key: key as number | string, tie } : undefined;
}

/** Maximum length of a cursor: a checksum, a name in ASCII, and a time or an id of at most 32 characters. */
const cursorMax = Math.ceil(((sumBytes + nameMax + 32) * 4) / 3);
