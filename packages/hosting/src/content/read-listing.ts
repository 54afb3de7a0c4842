import type { ContentReader, ListedEntry } from '@packhouse/git';
import { Fields, HostingError, type RawFields } from '@packhouse/base';
import { readCursorField } from '../lists/cursor.ts';
import type { CursorInfo } from '../lists/page.ts';
import { readListingCursor, refuseCursor, writeListingCursor } from './list-cursor.ts';

/** A page of what is below a folder (REPO-262). */
export interface Listing {
  readonly entries: readonly ListedEntry[];
  readonly info: CursorInfo;
}

/** LIM-028. */
const limitMax = 1000;

/**
 * Reads the parameters of a listing. The result reads it, and throws `refNotFound`, `treeNotFound`, or `invalidInput` for
 * a cursor whose place is gone.
 *
 * @param identity the repo that a cursor belongs to.
 * @throws {HostingError} for every bad field.
 */
export async function parseListing(
  query: RawFields,
  identity: readonly string[],
): Promise<(reader: ContentReader) => Promise<Listing>> {
  const fields = new Fields(query);
  const ref = fields.optionalString('ref') ?? 'HEAD';
  const path = fields.optionalString('path') ?? '';
  const isRecursive = fields.flag('recursive');
  const depth = fields.integer('depth', { min: 1, max: Infinity }, isRecursive ? Infinity : 1);
  const limit = fields.integer('limit', { min: 1, max: limitMax }, limitMax);
  const list = ['tree', ...identity, ref, path, String(depth)];
  const place = await readCursorField(fields, list, readListingCursor);
  fields.check();
  return async (reader) => {
    const commit = await reader.resolve(place?.commit ?? ref);
    if (commit === undefined) return place === undefined ? refuse('refNotFound') : refuseCursor();
    const range = { depth, limit, ...(place && { from: place.from }) };
    const page = await reader.listTree(commit, new TextEncoder().encode(path), range);
    if (page === undefined) return place === undefined ? refuse('treeNotFound') : refuseCursor();
    const { entries, next } = page;
    const cursor = next === undefined ? '' : await writeListingCursor({ commit, from: next }, list);
    return { entries, info: { cursor, per_page: limit, count: entries.length } };
  };
}

function refuse(kind: 'refNotFound' | 'treeNotFound'): never {
  throw new HostingError(kind);
}
