import { foldCase, type Tags } from '@packhouse/tag-filter';
import type { ResourceIdentity, TagRecord } from '../../model/tag-store.ts';
import type { PostgresSession } from '@packhouse/base';
import { countRecord, countTags } from '../change.ts';
import { lengthOfTags } from '../cut.ts';
import { placeOf, resourceAt } from '../place.ts';
import { fromBytes, toBytes } from '../sql-texts.ts';
import { placeStart } from './schema.ts';

/** A row of `tag_records` with its tags, as {@link recordColumns} selects it. `tags` is null without any. */
export interface RecordRow {
  readonly record: number;
  readonly place: Uint8Array;
  readonly name: Uint8Array;
  readonly length: number;
  readonly updated_at: number;
  readonly tags: Tags | null;
}

/** Number of the account `$1`; null without any rows. */
export const accountNumber = '(SELECT id FROM packhouse.tag_accounts WHERE account = $1)';

/** Columns of a table with the alias `r`, without the tags. */
export const recordColumns = 'r.record, r.place, r.name, r.length, r.updated_at';

export function recordOf({ place, name, updated_at, tags }: RecordRow): TagRecord {
  return { resource: resourceAt(fromBytes(place)), name: fromBytes(name), tags: tags ?? {}, updatedAt: updated_at };
}

/** Finds the record of a resource. Later statements of a transaction see it as it was when they began. */
export async function findRecord(
  session: PostgresSession,
  account: string,
  resource: ResourceIdentity,
): Promise<TagRecord | undefined> {
  const [row] = await session.rows<RecordRow>(
    `SELECT ${recordColumns},
       (SELECT json_object_agg(key, value) FROM packhouse.tag_entries WHERE record = r.record) AS tags
     FROM packhouse.tag_records AS r WHERE r.account = ${accountNumber} AND sha256(r.place) = sha256($2)`,
    [account, toBytes(placeOf(resource))],
  );
  return row && recordOf(row);
}

/** Inserts a record, or updates `before` to it, and counts its tags. Writes only changed tags. */
export function writeRecord(
  session: PostgresSession,
  account: string,
  { resource, name, tags, updatedAt }: TagRecord,
  before: TagRecord | undefined,
): void {
  const old: Tags = before?.tags ?? {};
  const removed = Object.keys(old).filter((key) => !Object.hasOwn(tags, key));
  const changed = Object.entries(tags).filter(([key, value]) => !Object.hasOwn(old, key) || old[key] !== value);
  const place = toBytes(placeOf(resource));
  void session.rows(
    `WITH r AS (
       INSERT INTO packhouse.tag_records (account, place, id, name, folded_name, tags, length, updated_at)
       VALUES (${accountNumber}, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (account, sha256(place)) DO UPDATE SET name = excluded.name, folded_name = excluded.folded_name,
         tags = excluded.tags, length = excluded.length, updated_at = excluded.updated_at
       RETURNING record, account),
     removed AS (
       DELETE FROM packhouse.tag_entries AS e USING r WHERE e.record = r.record AND e.key = ANY ($9)),
     counted AS (
       UPDATE packhouse.tag_accounts SET tags = tags + $10::bigint WHERE account = $1 AND $10::bigint <> 0)
     INSERT INTO packhouse.tag_entries
       (record, key, value, folded_key, folded_value, account, type, place_start)
     SELECT r.record, e.key, e.value, e.folded_key, e.folded_value, r.account, $11, $12 FROM r
     CROSS JOIN unnest($13::text[], $14::text[], $15::text[], $16::text[]) AS e (key, value, folded_key, folded_value)
     ON CONFLICT (record, key) DO UPDATE SET value = excluded.value, folded_value = excluded.folded_value`,
    [
      account,
      place,
      resource.id,
      toBytes(name),
      toBytes(foldCase(name)),
      countTags(tags),
      lengthOfTags(tags),
      updatedAt,
      removed,
      countRecord({ tags }) - countRecord(before),
      resource.type,
      place.slice(0, placeStart),
      changed.map(([key]) => key),
      changed.map(([, value]) => value),
      changed.map(([key]) => foldCase(key)),
      changed.map(([, value]) => foldCase(value)),
    ],
  );
}

/** Removes a record with its tags, and counts them. */
export function removeRecord(session: PostgresSession, account: string, record: TagRecord): void {
  void session.rows(
    `WITH r AS (
       DELETE FROM packhouse.tag_records WHERE account = ${accountNumber} AND sha256(place) = sha256($2)
       RETURNING record),
     removed AS (DELETE FROM packhouse.tag_entries AS e USING r WHERE e.record = r.record)
     UPDATE packhouse.tag_accounts SET tags = tags - $3 WHERE account = $1`,
    [account, toBytes(placeOf(record.resource)), countRecord(record)],
  );
}
