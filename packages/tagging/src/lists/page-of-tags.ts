import type { TagPart, TagSlice, TagStore } from '../model/tag-store.ts';
import { Parameters } from '../input/parameters.ts';
import type { TagList } from '../model/tagging.ts';
import { TaggingError } from '../model/tagging-error.ts';
import { readTagCursor, writeTagCursor } from './tag-cursor.ts';

/** Most items on a page (TAG-137). */
const pageMax = 100;

/** UTF-16 units of keys and values after which a page ends early, so that a reply has a bound: about 4 MiB of text. */
const pageLengthMax = 4 * 1_048_576;

/** A list that is read in pages. */
export interface PagedTags<Item, Place> {
  /** Its account, route and other parameters, which its cursors are bound to (TAG-078). */
  readonly binding: readonly string[];
  readonly read: (slice: TagSlice<Place>) => Promise<TagPart<Item>>;
  /** The place of an item as a cursor holds it: a JSON value. */
  readonly writePlace: (item: Item) => unknown;
  /** The inverse; `undefined` for what is no place of the list. */
  readonly readPlace: (value: unknown) => Place | undefined;
}

/**
 * The page that the parameter `cursor` of a query asks for (TAG-075 to TAG-080).
 *
 * @param at the time, milliseconds since 1970.
 * @throws {TaggingError} `parameter` if it is repeated, `cursor` if it is none of this list.
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
