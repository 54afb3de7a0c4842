import { toBase64url, openSealedText, parseJson, sealText } from '@packhouse/base';
import type { TagStore } from '../model/tag-store.ts';

/** Maximum length of a cursor in characters (TAG-141). */
const cursorMax = 1024;

/** Prefix of a cursor whose position is too long, so that the store keeps it. */
const keptMark = 'kept.';

/** Key of a position in the store: its hash. */
const keptName = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes a cursor for a position in a list, after which the next page begins. It contains the position, or the key under
 * which the store keeps it (TAG-080, TAG-141).
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

/** Returns the position in a cursor, not yet validated, or `undefined` if the cursor does not belong to this list. */
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
