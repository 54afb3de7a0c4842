import type { PostgresDriver, PostgresSession } from '@packhouse/base';
import { foldCase } from '@packhouse/tag-filter';
import type { ResourceIdentity, TagRecord, TagStore, TagStores } from '../../model/tag-store.ts';
import { changed, mayWrite } from '../change.ts';
import { keptFor } from '../kept-for.ts';
import { placeOf } from '../place.ts';
import { fromBytes, toBytes } from '../sql-texts.ts';
import { distinctKeys, distinctValues, summaryOf } from './distinct.ts';
import { listRecords } from './list.ts';
import { accountNumber, findRecord, removeRecord, writeRecord } from './records.ts';

/** Maximum number of positions dropped at once, to keep writes short. */
const forgottenAtOnce = 100;

/**
 * Makes tag stores in a PostgreSQL database with the tables of `postgresTagMigrations`, without I/O. Every read is one
 * statement, so any number of servers may share the database. Writes of tags lock the row of their account, whose number
 * of tags has a limit.
 */
export function postgresTagStores(driver: PostgresDriver): TagStores {
  return (account): TagStore => ({
    record: (resource) => findRecord(driver, account, resource),
    set: (change) =>
      driver.transaction(async (session) => {
        const { tags, before } = await lock(session, account, change.resource);
        const outcome = changed(change, before, tags);
        if (outcome.kind === 'set') writeRecord(session, account, outcome.record, before);
        return outcome;
      }),
    remove: (resource, ifMatch) =>
      driver.transaction(async (session) => {
        const { before } = await lock(session, account, resource);
        if (!mayWrite(ifMatch, before)) return 'no match';
        if (before === undefined) return 'missing';
        removeRecord(session, account, before);
        return 'removed';
      }),
    async rename(resource, name) {
      await driver.rows(
        `UPDATE packhouse.tag_records SET name = $3, folded_name = $4
         WHERE account = ${accountNumber} AND sha256(place) = sha256($2)`,
        [account, toBytes(placeOf(resource)), toBytes(name), toBytes(foldCase(name))],
      );
    },
    resources: (list, slice) => listRecords(driver, account, list, slice),
    keys: (slice) => distinctKeys(driver, account, slice),
    values: (key, type, slice) => distinctValues(driver, account, { key, type }, slice),
    summary: (slice) => summaryOf(driver, account, slice),
    async keepPlace(id, place, at) {
      await driver.rows(
        `WITH forgotten AS (
           DELETE FROM packhouse.tag_places WHERE account = $1 AND id IN (
             SELECT id FROM packhouse.tag_places WHERE account = $1 AND kept_at < $4::bigint - ${keptFor} AND id <> $2
             ORDER BY kept_at LIMIT ${forgottenAtOnce} FOR UPDATE SKIP LOCKED))
         INSERT INTO packhouse.tag_places AS kept (account, id, place, kept_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (account, id) DO UPDATE
           SET place = excluded.place, kept_at = greatest(kept.kept_at, excluded.kept_at)`,
        [account, id, toBytes(place), at],
      );
    },
    async keptPlace(id) {
      const [row] = await driver.rows<{ place: Uint8Array }>(
        'SELECT place FROM packhouse.tag_places WHERE account = $1 AND id = $2',
        [account, id],
      );
      return row && fromBytes(row.place);
    },
  });
}

/** Locks the account, which it creates if it is new, and then reads its number of tags and a record. */
async function lock(
  session: PostgresSession,
  account: string,
  resource: ResourceIdentity,
): Promise<{ readonly tags: number; readonly before: TagRecord | undefined }> {
  const read = async () => {
    const locked = session.rows<{ tags: number }>(
      'SELECT tags FROM packhouse.tag_accounts WHERE account = $1 FOR UPDATE',
      [account],
    );
    const [[row], before] = await Promise.all([locked, findRecord(session, account, resource)]);
    return row && { tags: row.tags, before };
  };
  const found = await read();
  if (found !== undefined) return found;
  void session.rows(
    'INSERT INTO packhouse.tag_accounts (account, tags) VALUES ($1, 0) ON CONFLICT (account) DO NOTHING',
    [account],
  );
  return (await read()) ?? { tags: 0, before: undefined };
}
