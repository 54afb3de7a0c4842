import type { ObjectId, RefName, RetiredTip } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';

/** Retired tips of one repository in SQL. */
export class SqlTips {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Returns at most `max` tips, newest first, ties bytewise by name and id. */
  list(max: number): RetiredTip[] {
    return this.#driver
      .all<{ name: RefName; oid: ObjectId; at: number }>(
        'SELECT name, oid, at FROM retired_tips WHERE repo_id = ? ORDER BY at DESC, name, oid LIMIT ?',
        this.#repo,
        max,
      )
      .map(({ name, oid, at }) => ({ name, oid, at }));
  }

  /** Records that refs left these values at `at`. A known value gets the newer time. */
  add(tips: readonly Omit<RetiredTip, 'at'>[], at: number): void {
    for (const { name, oid } of tips) {
      this.#driver.run(
        `INSERT INTO retired_tips (repo_id, name, oid, at) VALUES (?, ?, ?, ?)
         ON CONFLICT (repo_id, name, oid) DO UPDATE SET at = max(at, excluded.at)`,
        this.#repo,
        name,
        oid,
        at,
      );
    }
  }

  /** Drops tips before a time. Returns true if there were any. */
  forget(before: number): boolean {
    return this.#driver.run('DELETE FROM retired_tips WHERE repo_id = ? AND at < ?', this.#repo, before) > 0;
  }
}
