import type { ObjectId } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';

/** Maximum number of ids per value: Durable Object SQL refuses 2 MB. */
const idsInValue = 1_000;

/** The boundary of one shallow repository in SQL (GIT-075). */
export class SqlShallow {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Returns the boundary, sorted. */
  list(): ObjectId[] {
    return this.#driver
      .all<{ oid: ObjectId }>('SELECT oid FROM shallow WHERE repo_id = ? ORDER BY oid', this.#repo)
      .map(({ oid }) => oid);
  }

  /** Adds ids. Skips existing ones. */
  add(oids: readonly ObjectId[]): void {
    for (let from = 0; from < oids.length; from += idsInValue) {
      this.#driver.run(
        'INSERT OR IGNORE INTO shallow (repo_id, oid) SELECT ?, value FROM json_each(?)',
        this.#repo,
        JSON.stringify(oids.slice(from, from + idsInValue)),
      );
    }
  }
}
