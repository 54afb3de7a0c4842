import type { SqlDriver } from '@packhouse/base';
import { keyLifetime, keysMax, type KeyedResult } from '@packhouse/git';

/** Results of one repository by the keys of their requests. */
export class SqlKeyedResults {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Returns the result of a key that has not expired. */
  find(key: string, at: number): string | undefined {
    return this.#driver.all<{ result: string }>(
      'SELECT result FROM keyed_results WHERE repo_id = ? AND key = ? AND at > ?',
      this.#repo,
      key,
      at - keyLifetime,
    )[0]?.result;
  }

  /** Records the result of a key, and drops the two oldest if they have expired or are too many. */
  record({ key, result }: KeyedResult, at: number): void {
    this.#driver.run('DELETE FROM keyed_results WHERE repo_id = ? AND key = ?', this.#repo, key);
    this.#driver.run(
      `INSERT INTO keyed_results (repo_id, number, key, at, result)
       SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM keyed_results WHERE repo_id = ?1`,
      this.#repo,
      key,
      at,
      result,
    );
    // Two for each new one, so that a full table shrinks without a transaction of many rows.
    this.#driver.run(
      `DELETE FROM keyed_results WHERE repo_id = ?1
         AND number IN (SELECT number FROM keyed_results WHERE repo_id = ?1 ORDER BY number LIMIT 2)
         AND (at <= ?2 OR number <= (SELECT max(number) FROM keyed_results WHERE repo_id = ?1) - ?3)`,
      this.#repo,
      at - keyLifetime,
      keysMax,
    );
  }
}
