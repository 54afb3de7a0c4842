/** A query of resources as an expert would write it who knows which values are common and which are rare. */
export interface HandQuery {
  /**
   * The SQL after the columns of the table of records, `r`, up to its last condition. The account is parameter `?1`.
   */
  readonly from: string;
  /** The column that list pages are ordered by. */
  readonly place: string;
}

const everyRecord = 'FROM tag_records AS r INDEXED BY tag_records_tagged WHERE r.account = ?1 AND r.tags > 0';
const has = (condition: string): string =>
  `EXISTS (SELECT 1 FROM tag_entries WHERE record = r.record AND ${condition})`;
const beginning = (condition: string): string =>
  `FROM tag_entries AS e CROSS JOIN tag_records AS r ON r.record = e.record WHERE e.account = ?1 AND ${condition}`;

const inRecords = (condition: string): HandQuery => ({ from: `${everyRecord} AND ${condition}`, place: 'r.place' });
const inEntries = (condition: string): HandQuery => ({ from: beginning(condition), place: 'e.place' });

/**
 * Queries by the query of the list. Each reads its page from an index in order, unless almost nothing is left to sort.
 */
export const handQueries: Readonly<Record<string, HandQuery>> = {
  '': { from: everyRecord, place: 'r.place' },
  '?tag=env=prod': inEntries("e.key = 'env' AND e.value = 'prod'"),
  '?tag=env=prod,staging': inRecords(has("key = 'env' AND value IN ('prod', 'staging')")),
  '?tag=!archived': inRecords(`NOT ${has("key = 'archived'")}`),
  '?tag=env!=dev': inRecords(`NOT ${has("key = 'env' AND value = 'dev'")}`),
  '?tag=env=prod&tag=!archived': inEntries(`e.key = 'env' AND e.value = 'prod' AND NOT ${has("key = 'archived'")}`),
  '?tag=ENV=Prod&case_insensitive=true': inEntries("e.folded_key = 'env' AND e.folded_value = 'prod'"),
  '?tag=owner=person-42': inEntries("e.key = 'owner' AND e.value = 'person-42'"),
  '?tag=env=prod&tag=owner=person-42': inEntries(
    `e.key = 'owner' AND e.value = 'person-42' AND ${has("key = 'env' AND value = 'prod'")}`,
  ),
  '?tag=owner=person-42,person-43': inEntries("e.key = 'owner' AND e.value IN ('person-42', 'person-43')"),
  '?tag=OWNER=Person-42&case_insensitive=true': inEntries("e.folded_key = 'owner' AND e.folded_value = 'person-42'"),
  '?tag=label-59999': inEntries("e.key = 'label-59999'"),
  '?tag=owner=nobody': inEntries("e.key = 'owner' AND e.value = 'nobody'"),
  '?tag=active&tag=archived': inEntries(`e.key = 'archived' AND ${has("key = 'active'")}`),
  '?tag=env!=prod,staging,dev': inRecords(`NOT ${has("key = 'env' AND value IN ('prod', 'staging', 'dev')")}`),
  '?type=queue&tag=env=prod': inEntries(
    "e.key = 'env' AND e.value = 'prod' AND e.place > CAST('queue' AS BLOB) AND e.place < CAST('queue' || char(1) AS BLOB)",
  ),
  '?name=service-4242': inRecords("instr(r.folded_name, 'service-4242') > 0"),
};

/**
 * Returns SQL for the distinct keys (`key`), or values of one key (`value`). It searches for each after the one before,
 * since a walk would read every row with the same text. `?1` is the account, `?2` the text before the first one, or,
 * with `fromStart`, the least one; `?3` the key. `limit` may be -1 for all.
 */
export const distinctByHand = (column: 'key' | 'value', fromStart: boolean, limit: number): string => {
  const ofKey = column === 'value' ? 'AND key = ?3' : '';
  const next = (beyond: string): string =>
    `(SELECT min(${column}) FROM tag_entries WHERE account = ?1 ${ofKey} AND ${column} ${beyond})`;
  return `WITH RECURSIVE found (text) AS (
    SELECT ${next(`${fromStart ? '>=' : '>'} ?2`)}
    UNION ALL SELECT ${next('> found.text')} FROM found WHERE text IS NOT NULL LIMIT ${limit}
  ) SELECT text FROM found WHERE text IS NOT NULL`;
};
