import { toBase64url, openSealedText, parseJson, sealText } from '@packhouse/base';
import type { TagStore } from '../model/tag-store.ts';

/** Most characters of a cursor (TAG-141). */
const cursorMax = 1024;

/** What a cursor begins with whose place is kept in the store, because it is too long to be in the cursor. */
const keptMark = 'kept.';

/** The name under which the store keeps a place: a hash of it. */
const keptName = /^[A-Za-z0-9_-]{43}$/;

/**
 * A cursor for a place in a list: the next page begins after it. It holds the place itself, or the name under which the
 * store keeps it (TAG-080, TAG-141).
 *
 * @param place a JSON value.
 */
export async function writeTagCursor(
  store: TagStore,
  place: unknown,
  binding: readonly string[],
  at: number,
): Promise<string> {
  const json = JSON.stringify(place);
  const cursor = await sealText(json, binding);
  if (cursor.length <= cursorMax) return cursor;
  const id = toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json))));
  await store.keepPlace(id, json, at);
  return keptMark + (await sealText(id, binding));
}

/** The place a cursor stands for, of whatever shape; `undefined` if it is not one of this list. */
export async function readTagCursor(store: TagStore, cursor: string, binding: readonly string[]): Promise<unknown> {
  if (cursor.length > cursorMax) return undefined;
  const kept = cursor.startsWith(keptMark);
  const text = await openSealedText(kept ? cursor.slice(keptMark.length) : cursor, binding);
  const json = kept ? await keptPlace(store, text) : text;
  return json === undefined ? undefined : parseJson(json);
}

async function keptPlace(store: TagStore, id: string | undefined): Promise<string | undefined> {
  return id !== undefined && keptName.test(id) ? store.keptPlace(id) : undefined;
}
