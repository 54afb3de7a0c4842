import { foldCase, type Tags } from '@packhouse/tag-filter';
import type { ResourceIdentity, TagRecord } from '../model/tag-store.ts';
import type { SqlDriver } from '@packhouse/base';
import { countTags } from './change.ts';
import { lengthOfTags } from './cut.ts';
import { placeOf, resourceAt } from './place.ts';
import { fromBytes, readText, selectText, toBytes } from './sql-texts.ts';

/** A row of `tag_records` as {@link recordColumns} selects it. */
export interface RecordRow {
  readonly record: number;
  readonly place: Uint8Array;
  readonly name: string;
  readonly length: number;
  readonly updated_at: number;
}

/** Columns of a table with the alias `r`. */
export const recordColumns: string = `r.record, r.place, ${selectText('r.name')} AS name, r.length, r.updated_at`;

/** A record with its row number. */
export interface StoredRecord extends TagRecord {
  readonly row: number;
}

/** Records of all accounts in SQL. Call methods with several statements within a transaction. */
export class SqlTagRecords {
  readonly #driver: SqlDriver;

  constructor(driver: SqlDriver) {
    this.#driver = driver;
  }

  find(account: number, resource: ResourceIdentity): StoredRecord | undefined {
    const rows = this.#driver.all<RecordRow>(
      `SELECT ${recordColumns} FROM tag_records AS r WHERE r.account = ? AND r.place = ?`,
      account,
      toBytes(placeOf(resource)),
    );
    return this.filled(rows)[0];
  }

  /** Adds tags to rows. */
  filled(rows: readonly RecordRow[]): StoredRecord[] {
    const entries = new Map(rows.map(({ record }) => [record, [] as [string, string][]]));
    const found = this.#driver.all<{ record: number; key: string; value: string }>(
      `SELECT record, key, ${selectText('value')} AS value FROM tag_entries
       WHERE record IN (SELECT json_each.value FROM json_each(?))`,
      JSON.stringify([...entries.keys()]),
    );
    for (const { record, key, value } of found) entries.get(record)?.push([key, readText(value)]);
    return rows.map(({ record, place, name, updated_at }) => ({
      row: record,
      resource: resourceAt(fromBytes(place)),
      name: readText(name),
      tags: Object.fromEntries(entries.get(record) ?? []),
      updatedAt: updated_at,
    }));
  }

  /** Inserts a record, or updates `before` to it. Writes only changed tags. */
  write(account: number, { resource, name, tags, updatedAt }: TagRecord, before: StoredRecord | undefined): void {
    const place = toBytes(placeOf(resource));
    const written = [name, foldCase(name), countTags(tags), lengthOfTags(tags), updatedAt] as const;
    const row = before?.row ?? this.#add(account, place, resource.id, written);
    if (before !== undefined) {
      this.#driver.run(
        'UPDATE tag_records SET name = ?, folded_name = ?, tags = ?, length = ?, updated_at = ? WHERE record = ?',
        ...written,
        row,
      );
    }
    const old: Tags = before?.tags ?? {};
    for (const key of Object.keys(old)) {
      if (!Object.hasOwn(tags, key)) this.#driver.run('DELETE FROM tag_entries WHERE record = ? AND key = ?', row, key);
    }
    for (const [key, value] of Object.entries(tags)) {
      if (old[key] === value) continue;
      this.#driver.run(
        `INSERT INTO tag_entries (record, key, value, folded_key, folded_value, account, type, place)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (record, key) DO UPDATE SET value = excluded.value, folded_value = excluded.folded_value`,
        row,
        key,
        value,
        foldCase(key),
        foldCase(value),
        account,
        resource.type,
        place,
      );
    }
  }

  remove(row: number): void {
    this.#driver.run('DELETE FROM tag_entries WHERE record = ?', row);
    this.#driver.run('DELETE FROM tag_records WHERE record = ?', row);
  }

  rename(account: number, resource: ResourceIdentity, name: string): void {
    this.#driver.run(
      'UPDATE tag_records SET name = ?, folded_name = ? WHERE account = ? AND place = ?',
      name,
      foldCase(name),
      account,
      toBytes(placeOf(resource)),
    );
  }

  #add(account: number, place: Uint8Array, id: string, written: readonly (string | number)[]): number {
    const [row] = this.#driver.all<{ record: number }>(
      `INSERT INTO tag_records (account, place, id, name, folded_name, tags, length, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING record`,
      account,
      place,
      id,
      ...written,
    );
    return (row as { record: number }).record;
  }
}
