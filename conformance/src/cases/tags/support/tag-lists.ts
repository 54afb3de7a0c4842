import assert from 'node:assert/strict';
import type { Context } from '../../../core/context.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import type { Tags } from './filter-model.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly cursor: string | null;
}

/** The part of a resource in a list that matters to these cases. */
export interface ListedResource {
  readonly id: string;
  readonly type: string;
  readonly tags: Tags;
}

export interface SummaryItem {
  readonly key: string;
  readonly values: readonly string[];
}

/** The maximum number of items per page (TAG-075). */
export const pageMax = 100;

/** More pages than any walk of a case needs, even in a full account. */
const pagesMax = 300;

/**
 * Requests one page of a list, such as `/tags/keys`, and asserts the rules for any page (TAG-075, TAG-076, TAG-080).
 */
export async function page<T>(t: Context, path: string): Promise<Page<T>> {
  const reply = await t.tags('GET', path);
  const what = `GET ${path.slice(0, 300)}`;
  const items: readonly T[] = assertSuccess(reply, 200, what);
  assert.ok(Array.isArray(items), `${what}: expected an array`);
  assert.ok(items.length <= pageMax, `${what}: expected at most ${pageMax} items, not ${items.length}`);
  const { cursor } = reply.json.result_info ?? {};
  const info = { count: items.length, cursor, cursors: { after: cursor } };
  assert.deepEqual(reply.json.result_info, info, `${what}: expected count, cursor and cursors to agree`);
  if (cursor !== null) {
    assert.match(String(cursor), /^[A-Za-z0-9_.-]{1,1024}$/, `${what}: expected such characters in a cursor`);
    assert.ok(items.length > 0, `${what}: expected items before those that follow`);
  }
  return { items, cursor };
}

/** Requests the pages of a list, from the first. Yields the items of each. */
export async function* walk<T>(t: Context, path: string): AsyncGenerator<readonly T[]> {
  let cursor = '';
  for (let step = 0; step < pagesMax; step++) {
    const { items, cursor: next } = await page<T>(t, `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
    yield items;
    if (next === null) return;
    cursor = next;
  }
  assert.fail(`${path}: expected the walk to end within ${pagesMax} pages`);
}

/** Returns all items of a walk. */
export async function walked<T>(t: Context, path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for await (const some of walk<T>(t, path)) items.push(...some);
  return items;
}

/** Returns the ids on all pages of a list of resources. */
export async function listedIds(t: Context, query: string): Promise<readonly string[]> {
  return (await walked<ListedResource>(t, `/tags/resources?${query}`)).map(({ id }) => id);
}

/** Compares texts by code points (TAG-073). */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [i, character] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const apart = Number(character.codePointAt(0)) - Number(other.codePointAt(0));
    if (apart !== 0) return apart;
  }
  return left.length - right.length;
}

/** Returns a query that repeats one parameter. */
export function repeated(name: string, values: readonly string[]): string {
  return values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&');
}
