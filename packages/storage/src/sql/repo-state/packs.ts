import type { NewPack, PackFile, PackId, PackRecord, ReplacingPack, RetiredPack, RowFile } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';
import { rowFileMax, type Exactness } from '../../repo-state/change.ts';
import { restoreIndex, shortenIndex } from '../../packs/short-index.ts';

interface PackRow {
  readonly id: PackId;
  readonly place: 'store' | 'rows';
  readonly objects: number;
  readonly pack_size: number;
  readonly idx_size: number;
  readonly graph_size: number;
  readonly exact: number;
  readonly position: number;
  readonly after_position: number;
  readonly at: number;
  readonly borrowed: PackRecord['borrowed'];
}

const columns = 'id, place, objects, pack_size, idx_size, graph_size, exact, position, after_position, at, borrowed';

/** Names the index of the manifest, so that SQLite does not search all retired packs. */
const manifest = 'packs INDEXED BY packs_in_order';

/** Maximum number of ids per value: Durable Object SQL refuses 2 MB. */
const idsInValue = 1_000;

/** The pack manifest of one repository in SQL, with the files of small packs, and retired packs. */
export class SqlPacks {
  readonly #driver: SqlDriver;
  readonly #repo: string;

  constructor(driver: SqlDriver, repo: string) {
    this.#driver = driver;
    this.#repo = repo;
  }

  /** Lists all packs, oldest first. */
  list(): PackRecord[] {
    return this.#driver
      .all<PackRow>(
        `SELECT ${columns} FROM ${manifest} WHERE repo_id = ? AND retired_at IS NULL ORDER BY position`,
        this.#repo,
      )
      .map(recordOf);
  }

  count(): number {
    const [row] = this.#driver.all<{ n: number }>(
      `SELECT count(*) AS n FROM ${manifest} WHERE repo_id = ? AND retired_at IS NULL`,
      this.#repo,
    );
    return row?.n ?? 0;
  }

  /**
   * Tests if all objects of these packs still exist (see `RepoChange.leansOn`). `leftOut`: version of the last
   * replacement that left something out.
   */
  holdsAll(ids: readonly PackId[], leftOut: number): boolean {
    return this.#all(ids, 'AND (retired_at IS NULL OR retired_version > ?)', leftOut);
  }

  /** Tests if all these packs are in the manifest, with their bytes in the store. */
  hasStored(ids: readonly PackId[]): boolean {
    return this.#all(ids, "AND retired_at IS NULL AND place = 'store'");
  }

  /** Tests if all these packs exist and satisfy `condition`. */
  #all(ids: readonly PackId[], condition: string, ...values: readonly number[]): boolean {
    const asked = [...new Set(ids)];
    for (let from = 0; from < asked.length; from += idsInValue) {
      const some = asked.slice(from, from + idsInValue);
      const [row] = this.#driver.all<{ n: number }>(
        `SELECT count(*) AS n FROM packs WHERE repo_id = ? AND id IN (SELECT value FROM json_each(?)) ${condition}`,
        this.#repo,
        JSON.stringify(some),
        ...values,
      );
      if (row?.n !== some.length) return false;
    }
    return true;
  }

  /** Tests if a pack is in the manifest, or retired. */
  knows(id: PackId): boolean {
    return this.#driver.all('SELECT 1 FROM packs WHERE repo_id = ? AND id = ?', this.#repo, id).length > 0;
  }

  /** Sums the bytes of all pack files (GIT-166). */
  storedBytes(): number {
    const [row] = this.#driver.all<{ n: number }>(
      `SELECT coalesce(sum(pack_size + idx_size + graph_size), 0) AS n FROM ${manifest} WHERE repo_id = ? AND retired_at IS NULL`,
      this.#repo,
    );
    return row?.n ?? 0;
  }

  /** Appends packs that arrived at `at`. Clears the flag `exact` of older packs unless `exactness.old`. */
  add(packs: readonly NewPack[], exactness: Exactness, at: number): void {
    if (!exactness.old) {
      this.#driver.run(
        `UPDATE ${manifest} SET exact = 0 WHERE repo_id = ? AND retired_at IS NULL AND exact = 1`,
        this.#repo,
      );
    }
    for (const pack of packs) {
      this.#driver.run('UPDATE repos SET last_position = last_position + 1 WHERE id = ?', this.#repo);
      const [row] = this.#driver.all<{ n: number }>('SELECT last_position AS n FROM repos WHERE id = ?', this.#repo);
      this.#addAt(row?.n as number, { ...pack, at, exact: pack.exact && exactness.added });
    }
  }

  /** Retires packs at `at` with the new `version`, and puts `pack` in their place. */
  replace(remove: readonly PackRecord[], pack: ReplacingPack | undefined, at: number, version: number): void {
    for (let from = 0; from < remove.length; from += idsInValue) {
      this.#driver.run(
        `UPDATE packs SET retired_at = ?, retired_version = ?
         WHERE repo_id = ? AND id IN (SELECT value FROM json_each(?))`,
        at,
        version,
        this.#repo,
        JSON.stringify(remove.slice(from, from + idsInValue).map(({ id }) => id)),
      );
    }
    const newest = remove.at(-1);
    if (pack !== undefined && newest !== undefined) this.#addAt(newest.position, pack);
  }

  /** Lists retired packs, in order of their retirement. */
  retired(): RetiredPack[] {
    return this.#driver
      .all<PackRow & { readonly retired_at: number }>(
        `SELECT ${columns}, retired_at FROM packs
         WHERE repo_id = ? AND retired_at IS NOT NULL ORDER BY retired_at, position, id`,
        this.#repo,
      )
      .map((row) => ({ pack: recordOf(row), at: row.retired_at }));
  }

  /** Drops those of these packs that are retired. */
  forget(ids: readonly PackId[]): void {
    for (let from = 0; from < ids.length; from += idsInValue) {
      const some = JSON.stringify(ids.slice(from, from + idsInValue));
      const these = `FROM packs
        WHERE repo_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND retired_at IS NOT NULL`;
      this.#driver.run(`DELETE FROM pack_rows WHERE id IN (SELECT files_row ${these})`, this.#repo, some);
      this.#driver.run(
        `DELETE FROM pack_files WHERE repo_id = ?1 AND pack_id IN (SELECT id ${these})`,
        this.#repo,
        some,
      );
      this.#driver.run(`DELETE ${these}`, this.#repo, some);
    }
  }

  #addAt(position: number, pack: ReplacingPack): void {
    const files = pack.where === 'rows' ? pack.files : undefined;
    const isOneRow = files !== undefined && files.idx.length + files.graph.length + files.pack.length < rowFileMax;
    this.#driver.run(
      `INSERT INTO packs
         (repo_id, id, position, place, objects, pack_size, idx_size, graph_size, exact, after_position, at, borrowed,
          files_row)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      this.#repo,
      pack.id,
      position,
      pack.where,
      pack.objects,
      pack.packSize,
      pack.idxSize,
      pack.graphSize,
      pack.exact ? 1 : 0,
      pack.after,
      pack.at,
      pack.borrowed,
      isOneRow ? this.#addRow(files) : null,
    );
    if (pack.where === 'store') this.#dropReservation(pack.id);
    if (files === undefined || isOneRow) return;
    for (const [file, bytes] of Object.entries(files)) {
      this.#driver.run(
        'INSERT INTO pack_files (repo_id, pack_id, file, bytes) VALUES (?, ?, ?, ?)',
        this.#repo,
        pack.id,
        file,
        bytes,
      );
    }
  }

  /** Stores the files of a pack in one row. Returns its id. */
  #addRow({ idx, graph, pack }: Readonly<Record<PackFile, Uint8Array>>): number {
    const [row] = this.#driver.all<{ id: number }>(
      'INSERT INTO pack_rows (idx, graph, pack) VALUES (?, ?, ?) RETURNING id',
      shortenIndex(idx),
      graph,
      pack,
    );
    return (row as { id: number }).id;
  }

  /** Moves a pack of the manifest from rows to the store. Returns false if it is not in rows. */
  settle(id: PackId): boolean {
    const [settled] = this.#driver.all<{ files_row: number | null }>(
      "SELECT files_row FROM packs WHERE repo_id = ? AND id = ? AND place = 'rows' AND retired_at IS NULL",
      this.#repo,
      id,
    );
    if (settled === undefined) return false;
    this.#driver.run("UPDATE packs SET place = 'store', files_row = NULL WHERE repo_id = ? AND id = ?", this.#repo, id);
    this.#driver.run('DELETE FROM pack_rows WHERE id = ?', settled.files_row);
    this.#driver.run('DELETE FROM pack_files WHERE repo_id = ? AND pack_id = ?', this.#repo, id);
    this.#dropReservation(id);
    return true;
  }

  /** Drops the reservation of a pack that the manifest contains now. */
  #dropReservation(id: PackId): void {
    this.#driver.run('DELETE FROM uploads WHERE repo_id = ? AND id = ?', this.#repo, id);
  }

  files(ids: readonly PackId[], files: readonly PackFile[]): RowFile[] {
    if (files.length === 0) return [];
    const found = this.#driver.all<{ readonly id: PackId } & Readonly<Record<PackFile, Uint8Array>>>(
      `SELECT packs.id, ${files.map((file) => `pack_rows.${file}`).join(', ')}
       FROM packs CROSS JOIN pack_rows ON pack_rows.id = packs.files_row
       WHERE packs.repo_id = ? AND packs.id IN (SELECT value FROM json_each(?))`,
      this.#repo,
      JSON.stringify(ids),
    );
    const rows = found.flatMap((row) =>
      files.map((file) => ({ id: row.id, file, bytes: file === 'idx' ? restoreIndex(row.idx) : row[file] })),
    );
    if (found.length === ids.length) return rows;
    const others = this.#driver.all<RowFile>(
      `SELECT pack_id AS id, file, bytes FROM pack_files
       WHERE repo_id = ? AND pack_id IN (SELECT value FROM json_each(?)) AND file IN (SELECT value FROM json_each(?))`,
      this.#repo,
      JSON.stringify(ids),
      JSON.stringify(files),
    );
    return [...rows, ...others];
  }
}

function recordOf(row: PackRow): PackRecord {
  return {
    id: row.id,
    where: row.place,
    objects: row.objects,
    packSize: row.pack_size,
    idxSize: row.idx_size,
    graphSize: row.graph_size,
    exact: row.exact === 1,
    position: row.position,
    after: row.after_position,
    at: row.at,
    borrowed: row.borrowed,
  };
}
