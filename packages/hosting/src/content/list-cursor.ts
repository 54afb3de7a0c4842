import { Fields, fromBase64url, sealText, toBase64url } from '@packhouse/base';
import {
  objectIdAt,
  objectIdBytes,
  parseObjectId,
  placeIdsMax,
  writeObjectId,
  type HistoryPlace,
  type ObjectId,
} from '@packhouse/git';
import { openMembers } from '../lists/cursor.ts';

/** A place in the listing of a tree: the commit of the first page, and the place below the listed folder. */
export interface ListingPlace {
  readonly commit: ObjectId;
  readonly from: readonly number[];
}

/** Maximum length of a cursor: servers take no longer URLs. */
const cursorMax = 12 * 1024;

/** Writes a cursor for a listing; `list` names the list that it belongs to (REPO-262). */
export function writeListingCursor({ commit, from }: ListingPlace, list: readonly string[]): Promise<string> {
  return sealText(JSON.stringify([commit, ...from]), list);
}

/** Reads such a cursor; undefined if it does not belong to this list. */
export async function readListingCursor(cursor: string, list: readonly string[]): Promise<ListingPlace | undefined> {
  const [hash, ...from] = await openMembers(cursor, list, cursorMax);
  const commit = typeof hash === 'string' ? parseObjectId(hash) : undefined;
  return commit !== undefined && from.length > 0 && from.every(isCount) ? { commit, from } : undefined;
}

/** Writes a cursor for a log (REPO-268). */
export function writeLogCursor(place: HistoryPlace, list: readonly string[]): Promise<string> {
  const { passed, skip, waiting, again } = place;
  return sealText(JSON.stringify([passed, skip, textOf(waiting), textOf(again)]), list);
}

/** Reads such a cursor; undefined if it does not belong to this list. */
export async function readLogCursor(cursor: string, list: readonly string[]): Promise<HistoryPlace | undefined> {
  const [passed, skip, ...texts] = await openMembers(cursor, list, cursorMax);
  const [waiting, again] = texts.map(idsOf);
  if (!isCount(passed) || !isCount(skip) || waiting === undefined || again === undefined) return undefined;
  return { passed, skip, waiting, again };
}

/** @throws {HostingError} `invalidInput`, for a cursor whose place is gone. */
export function refuseCursor(): never {
  const fields = new Fields({});
  fields.fail('cursor', 'Invalid cursor');
  fields.check();
  throw new Error('A bad field was not told');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function textOf(ids: readonly ObjectId[]): string {
  const bytes = new Uint8Array(ids.length * objectIdBytes);
  for (const [i, id] of ids.entries()) writeObjectId(id, bytes, i * objectIdBytes);
  return toBase64url(bytes);
}

function idsOf(text: unknown): readonly ObjectId[] | undefined {
  const bytes = typeof text === 'string' ? fromBase64url(text) : undefined;
  if (bytes === undefined || bytes.length % objectIdBytes !== 0 || bytes.length > placeIdsMax * objectIdBytes)
    return undefined;
  return Array.from({ length: bytes.length / objectIdBytes }, (_, i) => objectIdAt(bytes, i * objectIdBytes));
}
