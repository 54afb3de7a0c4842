import type { ObjectId } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';

/** Ids that one value names: Durable Object SQL refuses 2 MB. */
const idsInValue = 1_000;

/** The boundary of one shallow repository in SQL (GIT-075). */
export class SqlShallow {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Sorted. */
  list(): ObjectId[] {
    return this.#driver
      .all<{ oid: ObjectId }>('SELECT oid FROM shallow WHERE repo_id = ? ORDER BY oid', this.#repo)
      .map(({ oid }) => oid);
  }

  /** Those that are there stay. */
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
