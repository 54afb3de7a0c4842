import { kindNumber, type ObjectId, type RefName, type RefTarget } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';
import type { RefTable } from '../../repo-state/apply-updates.ts';
import { jsonLists } from './json-lists.ts';
import { nameCondition } from './name-condition.ts';
import { sharedLength } from '../../repo-state/name-range.ts';
import type { NameRange, RefRow } from '../../repo-state/read-refs.ts';
import { parseTarget } from '../../repo-state/ref-target.ts';

interface NameRow {
  readonly name: RefName;
}

interface TargetRow extends NameRow {
  readonly target: string;
}

/** Target in one column, in the form of `formatTarget`: creating the values of rows takes most of the time of a query. */
const target = "refs.oid || refs.kind || coalesce(refs.peeled, '') AS target";

/** Refs of one repository in SQL; changed only within a transaction. */
export class SqlRefs implements RefTable {
  readonly #driver: SqlDriver;
  readonly #repo: string;
  /** Leading paths of new names that are not refs and have no ref as a leading path. */
  readonly #free = new Set<string>();

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  named(names: readonly RefName[]): readonly RefRow[] {
    return [...jsonLists(names)].flatMap((list) =>
      this.#driver
        .all<TargetRow>(
          `SELECT name, ${target} FROM refs WHERE repo_id = ? AND name IN (SELECT value FROM json_each(?))`,
          this.#repo,
          list,
        )
        .map(refOf),
    );
  }

  /** Returns up to `limit` refs of each value. */
  pointing(oids: readonly ObjectId[], limit: number): readonly RefRow[] {
    return [...new Set(oids)].flatMap((oid) =>
      this.#driver
        .all<TargetRow>(
          `SELECT name, ${target} FROM refs WHERE repo_id = ? AND oid = ? LIMIT ?`,
          this.#repo,
          oid,
          limit,
        )
        .map(refOf),
    );
  }

  /** Returns up to `limit` refs, sorted. */
  below(range: NameRange, limit: number): readonly RefRow[] {
    const { sql, parameters } = nameCondition(range);
    return this.#driver
      .all<TargetRow>(
        `SELECT name, ${target} FROM refs WHERE repo_id = ?${sql} ORDER BY name LIMIT ?`,
        this.#repo,
        ...parameters,
        limit,
      )
      .map(refOf);
  }

  set(name: RefName, { oid, kind, peeled }: RefTarget): void {
    this.#free.delete(name);
    this.#driver.run(
      `INSERT INTO refs (repo_id, name, oid, kind, peeled) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (repo_id, name) DO UPDATE SET oid = excluded.oid, kind = excluded.kind, peeled = excluded.peeled`,
      this.#repo,
      name,
      oid,
      kindNumber[kind],
      peeled,
    );
  }

  delete(name: RefName): void {
    this.#driver.run('DELETE FROM refs WHERE repo_id = ? AND name = ?', this.#repo, name);
  }

  /** Needs one look-up for most names: names between a leading path and the name begin with that path. */
  conflicting(name: RefName): RefName | undefined {
    // Refs below the name are the last ones before `<name>0`.
    let near = this.#nearest('<', `${name}0`);
    if (near?.startsWith(`${name}/`) === true) return this.#firstBelow(name);
    const looked: string[] = [];
    while (near !== undefined) {
      if (name.startsWith(`${near}/`)) return near;
      const path = name.slice(0, Math.max(0, name.lastIndexOf('/', sharedLength(near, name))));
      if (path.length <= 'refs'.length || this.#free.has(path)) break;
      near = this.#nearest('<=', path);
      looked.push(path);
    }
    for (const path of looked) this.#free.add(path);
    return undefined;
  }

  /** Returns the last ref before a text, or equal to it if `order` is `<=`. */
  #nearest(order: '<' | '<=', text: string): RefName | undefined {
    return this.#driver.all<NameRow>(
      `SELECT name FROM refs WHERE repo_id = ? AND name ${order} ? ORDER BY name DESC LIMIT 1`,
      this.#repo,
      text,
    )[0]?.name;
  }

  #firstBelow(name: RefName): RefName | undefined {
    const { sql, parameters } = nameCondition({ prefix: `${name}/` });
    const [row] = this.#driver.all<NameRow>(
      `SELECT name FROM refs WHERE repo_id = ?${sql} ORDER BY name LIMIT 1`,
      this.#repo,
      ...parameters,
    );
    return row?.name;
  }
}

function refOf({ name, target: text }: TargetRow): RefRow {
  return { name, target: parseTarget(text) as RefTarget };
}
