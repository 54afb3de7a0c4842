import type { TagPart, TagSlice, TagStore } from '../model/tag-store.ts';
import { Parameters } from '../input/parameters.ts';
import type { TagList } from '../model/tagging.ts';
import { TaggingError } from '../model/tagging-error.ts';
import { readTagCursor, writeTagCursor } from './tag-cursor.ts';

/** Maximum number of items on a page (TAG-137). */
const pageMax = 100;

/** Bounds the reply: a page ends early after this many UTF-16 units of keys and values, about 4 MiB of text. */
const pageLengthMax = 4 * 1_048_576;

/** A paginated list. */
export interface PagedTags<Item, Place> {
  /** Account, route and other parameters of the list. Its cursors are valid only for them (TAG-078). */
  readonly binding: readonly string[];
  readonly read: (slice: TagSlice<Place>) => Promise<TagPart<Item>>;
  /** Returns the position of an item as a JSON value for a cursor. */
  readonly writePlace: (item: Item) => unknown;
  /** Inverse of `writePlace`; `undefined` for a value that is not a position of the list. */
  readonly readPlace: (value: unknown) => Place | undefined;
}

/**
 * Reads the page that the parameter `cursor` of a query selects (TAG-075 to TAG-080).
 *
 * @param at the time in milliseconds since 1970.
 * @throws {TaggingError} `parameter` if `cursor` is repeated, `cursor` if it does not belong to this list.
 */
export async function readTagPage<Item, Place>(
  store: TagStore,
  list: PagedTags<Item, Place>,
  query: string,
  at: number,
): Promise<TagList<Item>> {
  const after = await readAfter(store, list, query);
  const slice = { limit: pageMax, lengthMax: pageLengthMax, ...(after !== undefined && { after }) };
  const { items, more } = await list.read(slice);
  const last = items.at(-1);
  const cursor =
    more && last !== undefined ? await writeTagCursor(store, list.writePlace(last), list.binding, at) : null;
  return { items, info: { count: items.length, cursor, cursors: { after: cursor } } };
}

async function readAfter<Item, Place>(
  store: TagStore,
  { binding, readPlace }: PagedTags<Item, Place>,
  query: string,
): Promise<Place | undefined> {
  const given = new Parameters(query, ['cursor']);
  given.requireSingle('cursor');
  const [cursor] = given.raw('cursor');
  if (given.raw('cursor').length === 0 || cursor === '') return undefined;
  const after = cursor === undefined ? undefined : readPlace(await readTagCursor(store, cursor, binding));
  if (after === undefined) throw new TaggingError('cursor', { pointer: '/cursor' });
  return after;
}
