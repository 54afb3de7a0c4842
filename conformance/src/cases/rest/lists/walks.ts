import assert from 'node:assert/strict';
import type { Context } from '../../../core/context.ts';
import { assertSuccess } from '../../../steps/replies.ts';
import { assertMembers } from '../../../steps/values.ts';

/** The part of a repo in a list that matters to these cases. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_push_at: string | null;
}

/** More steps than any walk of a case needs. */
const stepsMax = 200;

/** Requests the pages of a list by cursor, from the first. `path` already has a query. Yields the rows of each page. */
export async function* walk<T>(t: Context, path: string): AsyncGenerator<readonly T[]> {
  let cursor = '';
  for (let step = 0; step < stepsMax; step++) {
    const reply = await t.rest('GET', `${path}&cursor=${cursor}`);
    const what = `page ${step + 1} of ${path}`;
    const rows: readonly T[] = assertSuccess(reply, 200, what);
    const info = reply.json.result_info;
    assertMembers(info, ['cursor', 'per_page', 'count'], `${what}, the cursor form`);
    assert.equal(info.count, rows.length, `${what}: expected the count of its rows`);
    assert.match(info.cursor, /^[A-Za-z0-9_.~-]*$/, `${what}: expected a cursor that is safe in a URL`);
    yield rows;
    if (info.cursor === '') return;
    assert.equal(rows.length, info.per_page, `${what}: expected a full page, since rows remain`);
    cursor = info.cursor;
  }
  assert.fail(`${path}: expected the walk to end within ${stepsMax} pages`);
}

/** Returns all rows of a walk. */
export async function walked<T>(t: Context, path: string): Promise<readonly T[]> {
  const rows: T[] = [];
  for await (const page of walk<T>(t, path)) rows.push(...page);
  return rows;
}

export type Sort = 'created_at' | 'updated_at' | 'last_push_at' | 'name';

/** Returns the sort key of a row, as text that compares bytewise (REPO-115). */
function sortValue(row: Row, sort: Sort): string {
  return sort === 'name' ? row.name.toLowerCase() : (row[sort] ?? '');
}

/** Asserts the requested order of rows. Ties are ordered by id, in either direction but consistently. */
export function assertOrdered(rows: readonly Row[], sort: Sort, direction: 'asc' | 'desc', what: string): void {
  const ties = new Set<string>();
  for (const [i, next] of rows.entries()) {
    const row = rows[i - 1];
    if (row === undefined) continue;
    const [a, b] = [sortValue(row, sort), sortValue(next, sort)];
    if (a === b) ties.add(row.id < next.id ? 'up' : 'down');
    else
      assert.equal(a < b, direction === 'asc', `${what}: expected ${row.name} (${a}) not before ${next.name} (${b})`);
  }
  assert.ok(ties.size <= 1, `${what}: expected rows of equal ${sort} to be ordered by id`);
}
