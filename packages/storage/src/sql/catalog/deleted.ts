import type { PackId } from '@packhouse/git';
import type { DeletedRepo } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';
import {
  deletedColumns,
  deletedOf,
  type DeletedRow,
  type FoldedNames,
  recordText,
  rememberedOf,
} from '../../catalog/deleted-row.ts';

/** Deleted repos of one account in SQL: those whose bytes remain, and those whose names are remembered. */
export class SqlDeleted {
  readonly #driver: SqlDriver;
  readonly #account: string;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#account = account;
  }

  add({ namespace, folded }: FoldedNames, repo: DeletedRepo, remembered: boolean): void {
    this.#driver.run(
      `INSERT INTO catalog_deleted (account, id, namespace, folded, jurisdiction, deleted_at, remembered, due, packs, record)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?6, '[]', ?8)`,
      this.#account,
      repo.id,
      namespace,
      folded,
      repo.jurisdiction,
      repo.deletedAt,
      remembered ? 1 : 0,
      recordText(repo),
    );
  }

  /** Returns the last repo of that name deleted after `since`, and if its first erasure is complete. */
  remembered({ namespace, folded }: FoldedNames, since: number): ReturnType<typeof rememberedOf> | undefined {
    const [row] = this.#driver.all<DeletedRow>(
      `SELECT ${deletedColumns} FROM catalog_deleted
       WHERE account = ? AND namespace = ? AND folded = ? AND deleted_at > ? AND remembered = 1
       ORDER BY deleted_at DESC, id LIMIT 1`,
      this.#account,
      namespace,
      folded,
      since,
    );
    return row && rememberedOf(row);
  }

  due(at: number): DeletedRepo[] {
    return this.#driver
      .all<DeletedRow>(
        `SELECT ${deletedColumns} FROM catalog_deleted
         WHERE account = ? AND due <= ? AND due IS NOT NULL ORDER BY due LIMIT 100`,
        this.#account,
        at,
      )
      .map(deletedOf);
  }

  notePacks(id: string, packs: readonly PackId[]): void {
    this.#driver.run(
      'UPDATE catalog_deleted SET packs = ? WHERE account = ? AND id = ?',
      JSON.stringify(packs),
      this.#account,
      id,
    );
  }

  setDue(id: string, due: number | null): void {
    this.#driver.run('UPDATE catalog_deleted SET due = ? WHERE account = ? AND id = ?', due, this.#account, id);
  }

  forget(before: number): void {
    this.#driver.run(
      'DELETE FROM catalog_deleted WHERE account = ? AND due IS NULL AND deleted_at < ?',
      this.#account,
      before,
    );
  }
}
