import type { NewPack, PackFile, PackId, PackRecord, RowFile } from '@packhouse/git';
import type { SqlDriver } from '../sql/driver.ts';
import type { Exactness } from './change.ts';

interface PackRow {
  readonly id: PackId;
  readonly place: 'store' | 'rows';
  readonly objects: number;
  readonly pack_size: number;
  readonly idx_size: number;
  readonly graph_size: number;
  readonly exact: number;
}

/** Ids that one value names: Durable Object SQL refuses 2 MB. */
const idsInValue = 1_000;

/** The manifest of packs of one repository in SQL, with the files of small packs. */
export class SqlPacks {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** All packs, oldest first. */
  list(): PackRecord[] {
    return this.#driver
      .all<PackRow>(
        `SELECT id, place, objects, pack_size, idx_size, graph_size, exact FROM packs WHERE repo_id = ? ORDER BY position`,
        this.#repo,
      )
      .map((row) => ({
        id: row.id,
        where: row.place,
        objects: row.objects,
        packSize: row.pack_size,
        idxSize: row.idx_size,
        graphSize: row.graph_size,
        exact: row.exact === 1,
      }));
  }

  count(): number {
    return this.#driver.all<{ n: number }>('SELECT count(*) AS n FROM packs WHERE repo_id = ?', this.#repo)[0]?.n ?? 0;
  }

  holdsAll(ids: readonly PackId[]): boolean {
    const asked = [...new Set(ids)];
    for (let from = 0; from < asked.length; from += idsInValue) {
      const some = asked.slice(from, from + idsInValue);
      const [row] = this.#driver.all<{ n: number }>(
        'SELECT count(*) AS n FROM packs WHERE repo_id = ? AND id IN (SELECT value FROM json_each(?))',
        this.#repo,
        JSON.stringify(some),
      );
      if (row?.n !== some.length) return false;
    }
    return true;
  }

  /** Sum of the `pack` files, in bytes. */
  storedBytes(): number {
    const [row] = this.#driver.all<{ n: number }>(
      'SELECT coalesce(sum(pack_size), 0) AS n FROM packs WHERE repo_id = ?',
      this.#repo,
    );
    return row?.n ?? 0;
  }

  /** Adds packs behind those there are, and takes `exact` from those that lose it. */
  add(packs: readonly NewPack[], exactness: Exactness): void {
    if (!exactness.old) this.#driver.run('UPDATE packs SET exact = 0 WHERE repo_id = ? AND exact = 1', this.#repo);
    for (const pack of packs) this.#addOne(pack, pack.exact && exactness.added);
  }

  #addOne(pack: NewPack, exact: boolean): void {
    this.#driver.run(
      `INSERT INTO packs (repo_id, id, position, place, objects, pack_size, idx_size, graph_size, exact)
       VALUES (?1, ?2, (SELECT coalesce(max(position), 0) + 1 FROM packs WHERE repo_id = ?1), ?3, ?4, ?5, ?6, ?7, ?8)`,
      this.#repo,
      pack.id,
      pack.where,
      pack.objects,
      pack.packSize,
      pack.idxSize,
      pack.graphSize,
      exact ? 1 : 0,
    );
    if (pack.where === 'store') this.#dropReservation(pack.id);
    if (pack.where !== 'rows' || pack.files === undefined) return;
    for (const [file, bytes] of Object.entries(pack.files)) {
      this.#driver.run(
        'INSERT INTO pack_files (repo_id, pack_id, file, bytes) VALUES (?, ?, ?, ?)',
        this.#repo,
        pack.id,
        file,
        bytes,
      );
    }
  }

  /** Moves a pack from rows to the store; false if it does not lie in rows. */
  settle(id: PackId): boolean {
    const settled = this.#driver.run(
      "UPDATE packs SET place = 'store' WHERE repo_id = ? AND id = ? AND place = 'rows'",
      this.#repo,
      id,
    );
    if (settled === 0) return false;
    this.#driver.run('DELETE FROM pack_files WHERE repo_id = ? AND pack_id = ?', this.#repo, id);
    this.#dropReservation(id);
    return true;
  }

  /** From now on the manifest names it. */
  #dropReservation(id: PackId): void {
    this.#driver.run('DELETE FROM uploads WHERE repo_id = ? AND id = ?', this.#repo, id);
  }

  files(ids: readonly PackId[], files: readonly PackFile[]): RowFile[] {
    return this.#driver.all<RowFile>(
      `SELECT pack_id AS id, file, bytes FROM pack_files
       WHERE repo_id = ? AND pack_id IN (SELECT value FROM json_each(?)) AND file IN (SELECT value FROM json_each(?))`,
      this.#repo,
      JSON.stringify(ids),
      JSON.stringify(files),
    );
  }
}
