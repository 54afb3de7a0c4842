import { nameMax } from '../names/name-max.ts';
import type { Place } from '../ports/catalog.ts';
import { openSealedText, parseJson, sealText, sumBytes, type Fields } from '@packhouse/base';

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
  const [key, tie] = await openMembers(cursor, query, cursorMax);
  const fits = keyType === 'number' ? Number.isSafeInteger(key) : typeof key === 'string';
  return fits && typeof tie === 'string' ? { key: key as number | string, tie } : undefined;
}

/** Returns the members that a cursor has; none if it is longer than `max` characters, or not one of this query. */
export async function openMembers(cursor: string, query: readonly string[], max: number): Promise<readonly unknown[]> {
  const json = cursor.length > max ? undefined : await openSealedText(cursor, query);
  const members = json === undefined ? undefined : parseJson(json);
  return Array.isArray(members) ? members : [];
}

/**
 * Reads the field `cursor` of a list that has the cursor form alone. Returns the place that the page begins behind;
 * undefined for the first page. A cursor for which `read` returns undefined is a fault.
 */
export async function readCursorField<P>(
  fields: Fields,
  query: readonly string[],
  read: (cursor: string, query: readonly string[]) => Promise<P | undefined>,
): Promise<P | undefined> {
  const failCursor = fields.later('cursor');
  const sent = fields.optionalString('cursor') ?? '';
  if (sent === '') return undefined;
  const place = await read(sent, query);
  if (place === undefined) failCursor('Invalid cursor');
  return place;
}

/** Maximum length of a cursor: a checksum, a name in ASCII, and a time or an id of at most 32 characters. */
const cursorMax = Math.ceil(((sumBytes + nameMax + 32) * 4) / 3);
