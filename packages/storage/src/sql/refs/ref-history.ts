import { refHistoryMax, type RefName, type RefTarget } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';
import { jsonLists } from './json-lists.ts';
import { nameCondition } from './name-range.ts';
import type { NameRange, RefRow, RefSource } from '../../repo-state/read-refs.ts';
import { formatTarget, parseTarget, type SqlRefs } from './refs.ts';

/** The values that the latest changes of a repository's refs replaced, in SQL. Older versions are read with them. */
export class SqlRefHistory {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /**
   * Notes what the change that made `version` replaced, and forgets the oldest changes where there are too many.
   *
   * @param kept changes that were noted before.
   */
  add(version: number, replaced: readonly RefRow<RefTarget | null>[], kept: number): void {
    if (replaced.length > refHistoryMax) {
      this.#driver.run('DELETE FROM ref_history WHERE repo_id = ?', this.#repo);
      this.#note(version, 0);
      return;
    }
    for (const list of jsonLists(replaced.map(({ name, target }) => [name, formatTarget(target)]))) {
      this.#driver.run(
        `INSERT INTO ref_history (repo_id, version, name, target)
         SELECT ?, ?, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)`,
        this.#repo,
        version,
        list,
      );
    }
    const count = kept + replaced.length;
    if (count > refHistoryMax) this.#forget(count);
    else this.#driver.run('UPDATE repos SET ref_changes = ? WHERE id = ?', count, this.#repo);
  }

  /** The values in a version of refs that changed after it, by name; null: there was no such ref. */
  before(version: number, range: NameRange): ReadonlyMap<RefName, RefTarget | null> {
    const { sql, parameters } = nameCondition(range);
    const rows = this.#driver.all<{ name: RefName; target: string }>(
      `SELECT name, target FROM ref_history WHERE repo_id = ? AND version > ?${sql} ORDER BY version DESC`,
      this.#repo,
      version,
      ...parameters,
    );
    // The first change of a ref, which comes last, replaced the value that it had.
    return new Map(rows.map(({ name, target }) => [name, parseTarget(target)]));
  }

  /** Names of refs that changed after the version `low`, up to `high`. In order. */
  changed(low: number, high: number, range: NameRange, limit: number): readonly RefName[] {
    const { sql, parameters } = nameCondition(range);
    return this.#driver
      .all<{ name: RefName }>(
        `SELECT DISTINCT name FROM ref_history WHERE repo_id = ? AND version > ? AND version <= ?${sql}
         ORDER BY name LIMIT ?`,
        this.#repo,
        low,
        high,
        ...parameters,
        limit,
      )
      .map(({ name }) => name);
  }

  /** Forgets the oldest versions, so that no more changes are left than may be. */
  #forget(count: number): void {
    const [row] = this.#driver.all<{ version: number }>(
      'SELECT version FROM ref_history WHERE repo_id = ? ORDER BY version LIMIT 1 OFFSET ?',
      this.#repo,
      count - refHistoryMax - 1,
    );
    const oldest = row?.version ?? 0;
    const dropped = this.#driver.run('DELETE FROM ref_history WHERE repo_id = ? AND version <= ?', this.#repo, oldest);
    this.#note(oldest, count - dropped);
  }

  /** Notes which is the oldest version that can be read, and how many changes it takes. */
  #note(oldest: number, changes: number): void {
    this.#driver.run('UPDATE repos SET oldest_refs = ?, ref_changes = ? WHERE id = ?', oldest, changes, this.#repo);
  }
}

/** The refs as they may be read while `version` is the current one, and `oldest` the oldest that can be read. */
export function sqlRefSource(refs: SqlRefs, history: SqlRefHistory, version: number, oldest: number): RefSource {
  return {
    version,
    oldest,
    named: (names) => refs.named(names),
    pointing: (oids, limit) => refs.pointing(oids, limit),
    below: (range, limit) => refs.below(range, limit),
    before: (since, range) => history.before(since, range),
    changed: (low, high, range, limit) => history.changed(low, high, range, limit),
  };
}
