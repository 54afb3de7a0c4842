import type {
  ResourceIdentity,
  SetTagsOutcome,
  TagChange,
  TaggedResourceList,
  TagPart,
  TagRecord,
  TagSlice,
  TagStore,
  TagStores,
  TagSummary,
} from '../model/tag-store.ts';
import { durablePort, type SqlDriver } from '@packhouse/base';
import { changed, countRecord, mayWrite } from './change.ts';
import { lengthOfSummary } from './cut.ts';
import { keptFor } from './kept-for.ts';
import { distinct, keysOf, valuesOf } from './sql-distinct.ts';
import { listRows } from './sql-list.ts';
import { SqlTagRecords, type StoredRecord } from './sql-records.ts';
import { fromBytes, toBytes } from './sql-texts.ts';

/**
 * Makes tag stores in a database with the tables of `tagMigrations`, without I/O. Every method is one transaction or
 * statement, so any number of connections and processes may share the database.
 */
export function sqlTagStores(driver: SqlDriver): TagStores {
  return (account) => durablePort<TagStore>(new SqlTagStore(driver, account), driver);
}

/** Number of an account in the tables, and its number of tags. */
interface AccountRow {
  readonly id: number;
  readonly tags: number;
}

/** An account without any rows. */
const noAccount: AccountRow = { id: -1, tags: 0 };

/** Maximum number of positions dropped at once, to keep writes short. */
const forgottenAtOnce = 100;

/** One below the largest integer, since a list reads one item more. */
const allValues: TagSlice<string> = { limit: Number.MAX_SAFE_INTEGER - 1 };

class SqlTagStore implements TagStore {
  readonly #driver: SqlDriver;
  readonly #name: string;
  readonly #records: SqlTagRecords;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#name = account;
    this.#records = new SqlTagRecords(driver);
  }

  async record(resource: ResourceIdentity): Promise<TagRecord | undefined> {
    const stored = this.#driver.transaction(() => this.#records.find(this.#account().id, resource), 'read');
    return stored && recordOf(stored);
  }

  async set(change: TagChange): Promise<SetTagsOutcome> {
    return this.#driver.transaction(() => {
      const { id, tags } = this.#account();
      const before = this.#records.find(id, change.resource);
      const outcome = changed(change, before, tags);
      if (outcome.kind !== 'set') return outcome;
      const account = id < 0 ? this.#addAccount() : id;
      this.#records.write(account, outcome.record, before);
      this.#count(account, countRecord(outcome.record) - countRecord(before));
      return outcome;
    });
  }

  async remove(resource: ResourceIdentity, ifMatch: string | null): Promise<'removed' | 'missing' | 'no match'> {
    return this.#driver.transaction(() => {
      const { id } = this.#account();
      const before = this.#records.find(id, resource);
      if (!mayWrite(ifMatch, before)) return 'no match';
      if (before === undefined) return 'missing';
      this.#records.remove(before.row);
      this.#count(id, -countRecord(before));
      return 'removed';
    });
  }

  async rename(resource: ResourceIdentity, name: string): Promise<void> {
    this.#records.rename(this.#account().id, resource, name);
  }

  async resources(list: TaggedResourceList, slice: TagSlice<ResourceIdentity>): Promise<TagPart<TagRecord>> {
    return this.#driver.transaction(() => {
      const { items, more } = listRows(this.#driver, this.#account().id, list, slice);
      return { items: this.#records.filled(items).map(recordOf), more };
    }, 'read');
  }

  async keys(slice: TagSlice<string>): Promise<TagPart<string>> {
    return distinct(this.#driver, keysOf(this.#account().id), slice);
  }

  async values(key: string, type: string | null, slice: TagSlice<string>): Promise<TagPart<string>> {
    return distinct(this.#driver, valuesOf(this.#account().id, key, type), slice);
  }

  async summary({ limit, after, lengthMax = Infinity }: TagSlice<string>): Promise<TagPart<TagSummary>> {
    return this.#driver.transaction(() => {
      const { id } = this.#account();
      const keys = distinct(this.#driver, keysOf(id), { limit, ...(after !== undefined && { after }) });
      const items: TagSummary[] = [];
      let length = 0;
      for (const key of keys.items) {
        // Do not read all values of the next key just to learn that there are more.
        if (items.length > 0 && length >= lengthMax) return { items, more: true };
        const { items: values } = distinct(this.#driver, valuesOf(id, key, null), allValues);
        items.push({ key, values });
        length += lengthOfSummary({ key, values });
      }
      return { items, more: keys.more };
    }, 'read');
  }

  async keepPlace(id: string, place: string, at: number): Promise<void> {
    this.#driver.transaction(() => {
      const found = this.#account().id;
      const account = found < 0 ? this.#addAccount() : found;
      this.#driver.run(
        `DELETE FROM tag_places WHERE account = ?1 AND id IN (
           SELECT id FROM tag_places WHERE account = ?1 AND kept_at < ?2 ORDER BY kept_at LIMIT ?3 + 0)`,
        account,
        at - keptFor,
        forgottenAtOnce,
      );
      this.#driver.run(
        `INSERT INTO tag_places (account, id, place, kept_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (account, id) DO UPDATE SET place = excluded.place, kept_at = max(kept_at, excluded.kept_at)`,
        account,
        id,
        toBytes(place),
        at,
      );
    });
  }

  async keptPlace(id: string): Promise<string | undefined> {
    const [row] = this.#driver.all<{ place: Uint8Array }>(
      'SELECT place FROM tag_places WHERE account = ? AND id = ?',
      this.#account().id,
      id,
    );
    return row && fromBytes(row.place);
  }

  /** An account keeps its number forever, so later statements need not be in the same transaction. */
  #account(): AccountRow {
    const [row] = this.#driver.all<AccountRow>('SELECT id, tags FROM tag_accounts WHERE account = ?', this.#name);
    return row ?? noAccount;
  }

  #addAccount(): number {
    const [row] = this.#driver.all<{ id: number }>(
      'INSERT INTO tag_accounts (account, tags) VALUES (?, 0) RETURNING id',
      this.#name,
    );
    return (row as { id: number }).id;
  }

  #count(account: number, difference: number): void {
    if (difference === 0) return;
    this.#driver.run('UPDATE tag_accounts SET tags = tags + ? WHERE id = ?', difference, account);
  }
}

function recordOf({ resource, name, tags, updatedAt }: StoredRecord): TagRecord {
  return { resource, name, tags, updatedAt };
}
