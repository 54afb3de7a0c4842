import type { PostgresSession, PostgresValue } from '@packhouse/base';
import type { TagPart, TagSlice, TagSummary } from '../../model/tag-store.ts';
import { cut, lengthOfSummary } from '../cut.ts';
import { accountNumber } from './records.ts';
import { textStart } from './schema.ts';

/**
 * Reads distinct keys of an account. Each search in the index jumps to the next key, so the number of rows with the same
 * key does not matter.
 */
export async function distinctKeys(
  session: PostgresSession,
  account: string,
  slice: TagSlice<string>,
): Promise<TagPart<string>> {
  const rows = await session.rows<{ text: string }>(
    `WITH RECURSIVE found (text, number) AS (
       SELECT ${nextKey('$2')}, 1::bigint
       UNION ALL SELECT ${nextKey('found.text')}, number + 1 FROM found WHERE text IS NOT NULL AND number < $3
     ) SELECT text FROM found WHERE text IS NOT NULL ORDER BY text`,
    [account, slice.after ?? '', slice.limit + 1],
  );
  return cut(texts(rows), slice, ({ length }) => length);
}

/** Reads distinct values of a key in the same way, of one type or (null) all types. */
export async function distinctValues(
  session: PostgresSession,
  account: string,
  of: { readonly key: string; readonly type: string | null },
  slice: TagSlice<string>,
): Promise<TagPart<string>> {
  const where = of.type === null ? 'key = $2' : 'key = $2 AND type = $5';
  const parameters: PostgresValue[] = [account, of.key, slice.after ?? null, slice.limit + 1];
  const rows = await session.rows<{ text: string }>(
    `SELECT text FROM (${valuesOf(where, '$3::text', '$4::bigint')}) AS each ORDER BY text LIMIT $4`,
    of.type === null ? parameters : [...parameters, of.type],
  );
  return cut(texts(rows), slice, ({ length }) => length);
}

/**
 * Reads distinct keys with their values. Stops when the texts have as many bytes as the longest page could have, so it
 * reads at most three times too much.
 */
export async function summaryOf(
  session: PostgresSession,
  account: string,
  slice: TagSlice<string>,
): Promise<TagPart<TagSummary>> {
  // Values are null for a key that only shows that there are more.
  const values = (key: string, condition: string): string =>
    `(SELECT json_agg(text ORDER BY text) AS list, coalesce(sum(octet_length(text)), 0) AS octets
      FROM (${valuesOf(`key = ${key}`, 'NULL::text', 'NULL::bigint')}) AS each WHERE ${condition})`;
  const rows = await session.rows<{ key: string; list: string[] | null }>(
    `WITH RECURSIVE page (key, list, octets, number) AS (
       SELECT next.key, v.list::text, octet_length(next.key) + v.octets, 1::bigint
       FROM (SELECT ${nextKey('$2')} AS key) AS next CROSS JOIN LATERAL ${values('next.key', 'true')} AS v
       WHERE next.key IS NOT NULL
       UNION ALL
       SELECT next.key, v.list::text, page.octets + octet_length(next.key) + v.octets, page.number + 1
       FROM page CROSS JOIN LATERAL (SELECT ${nextKey('page.key')} AS key) AS next
       CROSS JOIN LATERAL ${values('next.key', 'page.number < $3 AND page.octets < $4')} AS v
       WHERE page.list IS NOT NULL AND next.key IS NOT NULL
     ) SELECT key, list::json AS list FROM page ORDER BY key`,
    [account, slice.after ?? '', slice.limit, Math.min(3 * (slice.lengthMax ?? Infinity), Number.MAX_SAFE_INTEGER)],
  );
  const items = rows.map(({ key, list }) => ({ key, values: list ?? [] }));
  return cut(items, slice, lengthOfSummary);
}

/** SQL of the first key of the account after a text. No key is empty. */
function nextKey(after: string): string {
  return `(SELECT key FROM packhouse.tag_entries WHERE account = ${accountNumber} AND key > ${after}
    ORDER BY key LIMIT 1)`;
}

/**
 * SQL of distinct values that meet a condition, after a text (null: all of them), at least the first `limit` (null: all).
 * It jumps from start to start in the index. A start that is shorter than `textStart` is the whole value.
 */
function valuesOf(where: string, after: string, limit: string): string {
  const rows = `packhouse.tag_entries WHERE account = ${accountNumber} AND ${where}`;
  const next = (condition: string): string =>
    `(SELECT value_start FROM ${rows} AND value_start ${condition} ORDER BY value_start LIMIT 1)`;
  // The first start may be that of `after` alone, so one more is read.
  return `WITH RECURSIVE found (start, number) AS (
      SELECT ${next(`>= coalesce(left(${after}, ${textStart}), '')`)}, 1::bigint
      UNION ALL
      SELECT ${next('> found.start')}, number + 1 FROM found
      WHERE found.start IS NOT NULL AND (${limit} IS NULL OR number <= ${limit})
    )
    SELECT v.text FROM found CROSS JOIN LATERAL (
      SELECT found.start AS text WHERE char_length(found.start) < ${textStart}
      UNION ALL
      SELECT DISTINCT value FROM ${rows} AND value_start = found.start AND char_length(found.start) = ${textStart}
    ) AS v WHERE ${after} IS NULL OR v.text > ${after}`;
}

function texts(rows: readonly { readonly text: string }[]): string[] {
  return rows.map(({ text }) => text);
}
