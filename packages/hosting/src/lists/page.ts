import type { Fields } from '@packhouse/base';
import type { Place, Slice } from '../ports/catalog.ts';
import { readCursor, writeCursor } from './cursor.ts';

/** The part of a list that a client requests (REPO-090). */
export interface PageRequest {
  readonly limit: number;
  /** True if `cursor` was sent, even an empty one. It takes precedence over `page`. */
  readonly byCursor: boolean;
  readonly after: Place | undefined;
  readonly page: number | undefined;
}

/** `result_info` of the offset form, in the order of its members (REPO-091). */
export interface OffsetInfo {
  readonly page: number;
  readonly per_page: number;
  readonly total_pages: number;
  readonly count: number;
  readonly total_count: number;
}

/** `result_info` of the cursor form, in the order of its members; `cursor` is empty on the last page (REPO-092). */
export interface CursorInfo {
  readonly cursor: string;
  readonly per_page: number;
  readonly count: number;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly info: OffsetInfo | CursorInfo;
}

/**
 * Reads `limit`, `cursor` and `page`, then the other fields of the list with `readList`. Checks that the cursor belongs
 * to that list (REPO-090, REPO-093).
 *
 * @throws {HostingError} for every bad field.
 */
export async function readPageRequest<L extends CursorBinding>(
  fields: Fields,
  limits: { readonly default: number; readonly max: number },
  readList: () => L,
): Promise<{ list: L; page: PageRequest }> {
  const limit = fields.integer('limit', { min: 1, max: limits.max }, limits.default);
  const invalidCursor = fields.later('cursor');
  const cursor = fields.optionalString('cursor');
  const page = fields.integer('page', { min: 1 }, undefined);
  const errors = fields.errorCount;
  const list = readList();
  let after: Place | undefined;
  if (cursor !== undefined && cursor !== '' && fields.errorCount === errors) {
    after = await readCursor(cursor, list.query, list.keyType);
    if (after === undefined) invalidCursor('Invalid cursor');
  }
  fields.check();
  return { list, page: { limit, byCursor: cursor !== undefined, after, page } };
}

/** The query that a cursor belongs to (REPO-093). */
export interface CursorBinding {
  readonly query: readonly string[];
  /** Type of the value that the list is sorted by. */
  readonly keyType: 'number' | 'string';
}

/** A list that can be read in pages. */
export interface PagedList<T> extends CursorBinding {
  rows(slice: Slice): Promise<readonly T[]>;
  count(): Promise<number>;
  place(row: T): Place;
}

export async function readPage<T>(list: PagedList<T>, { limit, byCursor, after, page }: PageRequest): Promise<Page<T>> {
  if (!byCursor && page !== undefined) {
    const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER);
    const total = await list.count();
    return offsetPage(offset < total ? await list.rows({ limit, offset }) : [], page, limit, total);
  }
  // One row more than asked for tells whether rows remain.
  const found = await list.rows({ limit: limit + 1, ...(after && { after }) });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const more = found.length > limit && last !== undefined;
  if (!byCursor && !more) return offsetPage(rows, 1, limit, rows.length);
  const cursor = more ? await writeCursor(list.place(last), list.query) : '';
  return { rows, info: { cursor, per_page: limit, count: rows.length } };
}

/** Makes a page that is requested by number (REPO-095), of a list with `total` rows. */
export function offsetPage<T>(rows: readonly T[], page: number, limit: number, total: number): Page<T> {
  const info = {
    page,
    per_page: limit,
    total_pages: Math.ceil(total / limit),
    count: rows.length,
    total_count: total,
  };
  return { rows, info };
}
