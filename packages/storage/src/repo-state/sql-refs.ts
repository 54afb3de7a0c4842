import {
  kindName,
  kindNumber,
  type KindNumber,
  type ObjectId,
  type ObjectKind,
  type RefName,
  type RefRecord,
  type RefTarget,
} from '@packhouse/git';
import type { SqlDriver } from '../sql/driver.ts';
import type { RefTable } from './apply-updates.ts';

interface NameRow {
  readonly name: RefName;
}

/** The refs of one repository in SQL; changed only within a transaction. */
export class SqlRefs implements RefTable {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** All refs, sorted bytewise. */
  list(): RefRecord[] {
    // Two columns instead of four: making the rows' values is most of the time of a large snapshot.
    return this.#driver
      .all<{ name: RefName; target: string }>(
        `SELECT name, oid || kind || coalesce(peeled, '') AS target FROM refs WHERE repo_id = ? ORDER BY name`,
        this.#repo,
      )
      .map(({ name, target }) => ({ name, oid: oidOf(target), kind: kindOf(target), peeled: peeledOf(target) }));
  }

  get(name: RefName): RefTarget | undefined {
    const [row] = this.#driver.all<{ target: string }>(
      `SELECT oid || kind || coalesce(peeled, '') AS target FROM refs WHERE repo_id = ? AND name = ?`,
      this.#repo,
      name,
    );
    return row && parseTarget(row.target);
  }

  set(name: RefName, target: RefTarget): void {
    this.#driver.run(
      `INSERT INTO refs (repo_id, name, oid, kind, peeled) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (repo_id, name) DO UPDATE SET oid = excluded.oid, kind = excluded.kind, peeled = excluded.peeled`,
      this.#repo,
      name,
      target.oid,
      kindNumber[target.kind],
      target.peeled,
    );
  }

  delete(name: RefName): void {
    this.#driver.run('DELETE FROM refs WHERE repo_id = ? AND name = ?', this.#repo, name);
  }

  firstOf(names: readonly RefName[]): RefName | undefined {
    const [row] = this.#driver.all<NameRow>(
      'SELECT name FROM refs WHERE repo_id = ? AND name IN (SELECT value FROM json_each(?)) ORDER BY name LIMIT 1',
      this.#repo,
      JSON.stringify(names),
    );
    return row?.name;
  }

  firstBelow(name: RefName): RefName | undefined {
    // '0' is the byte after '/'. A range, not LIKE: names may hold its wildcards, and the key serves the range.
    const [row] = this.#driver.all<NameRow>(
      'SELECT name FROM refs WHERE repo_id = ? AND name > ? AND name < ? ORDER BY name LIMIT 1',
      this.#repo,
      `${name}/`,
      `${name}0`,
    );
    return row?.name;
  }
}

/** A target in one column: 40 digits, the number of the kind, and 40 digits more if the ref peels to something else. */
function parseTarget(text: string): RefTarget {
  return { oid: oidOf(text), kind: kindOf(text), peeled: peeledOf(text) };
}

function oidOf(target: string): ObjectId {
  return target.slice(0, 40) as ObjectId;
}

function kindOf(target: string): ObjectKind {
  return kindName((target.charCodeAt(40) - 48) as KindNumber);
}

function peeledOf(target: string): ObjectId | null {
  return target.length > 41 ? (target.slice(41) as ObjectId) : null;
}
