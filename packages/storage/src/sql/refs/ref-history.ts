import { refHistoryMax, type RefName, type RefTarget } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';
import { jsonLists } from './json-lists.ts';
import { nameCondition } from './name-condition.ts';
import type { NameRange, RefRow, RefSource } from '../../repo-state/read-refs.ts';
import { formatTarget, parseTarget } from '../../repo-state/ref-target.ts';
import type { SqlRefs } from './refs.ts';

/** Values that the latest ref changes replaced, in SQL. Older versions are read with them. */
export class SqlRefHistory {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /**
   * Records the values that the change to `version` replaced, and drops the oldest changes if there are too many.
   *
   * @param kept number of changes recorded before.
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

  /** Returns the values at a version, by name, of refs that changed after it; null for a missing ref. */
  before(version: number, range: NameRange): ReadonlyMap<RefName, RefTarget | null> {
    const { sql, parameters } = nameCondition(range);
    const rows = this.#driver.all<{ name: RefName; target: string }>(
      `SELECT name, target FROM ref_history WHERE repo_id = ? AND version > ?${sql} ORDER BY version DESC`,
      this.#repo,
      version,
      ...parameters,
    );
    // The first change of a ref after the version is read last, and replaced its value at the version.
    return new Map(rows.map(({ name, target }) => [name, parseTarget(target)]));
  }

  /** Returns names of refs that changed after version `low`, up to `high`, sorted. */
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

  /** Drops the oldest versions, until the number of changes is within the limit. */
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

  /** Records the oldest readable version, and the number of changes. */
  #note(oldest: number, changes: number): void {
    this.#driver.run('UPDATE repos SET oldest_refs = ?, ref_changes = ? WHERE id = ?', oldest, changes, this.#repo);
  }
}

/** Returns a source of the refs, with `version` as the current and `oldest` as the oldest readable version. */
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
