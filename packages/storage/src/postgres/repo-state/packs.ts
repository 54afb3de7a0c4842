import type { PostgresSession } from '@packhouse/base';
import type { NewPack, PackFile, PackId, PackRecord, ReplacingPack, RetiredPack, RowFile } from '@packhouse/git';
import { restoreIndex, shortenIndex } from '../../packs/short-index.ts';
import { readRows } from './repo-row.ts';

/** Selects a `PackRecord`. */
const record = `id, place AS "where", objects, pack_size AS "packSize", idx_size AS "idxSize",
  graph_size AS "graphSize", exact, position, after_position AS "after", at, borrowed`;

/** Selects the manifest, oldest first. */
export const manifest: string = `SELECT ${record} FROM packhouse.packs
  WHERE repo_id = $1 AND retired_at IS NULL ORDER BY position`;

/** Facts about the packs of a repository that its commit needs. */
export interface PackJudgement {
  /** Number of packs in the manifest. */
  readonly held: number;
  /** True if one of them is exact. */
  readonly isExact: boolean;
  /** True if all objects of the packs that the change leans on still exist (see `RepoChange.leansOn`). */
  readonly holdsAll: boolean;
}

export async function judgePacks(
  session: PostgresSession,
  repo: string,
  leansOn: readonly PackId[],
): Promise<PackJudgement> {
  const ids = [...new Set(leansOn)];
  const [counts] = await session.rows<{ held: number; exact: number; leaned: number }>(
    `SELECT count(*) FILTER (WHERE retired_at IS NULL) AS held,
       count(*) FILTER (WHERE retired_at IS NULL AND exact) AS exact,
       count(*) FILTER (WHERE packs.id = ANY($2) AND (retired_at IS NULL OR retired_version > left_out_version)) AS leaned
     FROM packhouse.packs JOIN packhouse.repos ON repos.id = repo_id WHERE repo_id = $1`,
    [repo, ids],
  );
  return { held: counts?.held ?? 0, isExact: counts?.exact !== 0, holdsAll: counts?.leaned === ids.length };
}

/** Clears the flag `exact` of all packs in the manifest, with the commit. */
export function clearExact(session: PostgresSession, repo: string): void {
  void session.rows('UPDATE packhouse.packs SET exact = false WHERE repo_id = $1 AND retired_at IS NULL AND exact', [
    repo,
  ]);
}

/** Appends packs that arrived at `at`, with the commit. They stay exact only if `isExact`. */
export function addPacks(
  session: PostgresSession,
  repo: string,
  packs: readonly NewPack[],
  { isExact, at, lastPosition }: { readonly isExact: boolean; readonly at: number; readonly lastPosition: number },
): void {
  const placed = packs.map((pack, i) => ({
    ...pack,
    at,
    exact: pack.exact && isExact,
    position: lastPosition + i + 1,
  }));
  insertPacks(session, repo, placed);
}

/** Retires packs at `at` with the new `version`, and puts `pack` in their place. */
export function replacePacks(
  session: PostgresSession,
  repo: string,
  remove: readonly PackRecord[],
  pack: ReplacingPack | undefined,
  { at, version }: { readonly at: number; readonly version: number },
): void {
  void session.rows(
    'UPDATE packhouse.packs SET retired_at = $2, retired_version = $3 WHERE repo_id = $1 AND id = ANY($4)',
    [repo, at, version, remove.map(({ id }) => id)],
  );
  const newest = remove.at(-1);
  if (pack !== undefined && newest !== undefined) insertPacks(session, repo, [{ ...pack, position: newest.position }]);
}

function insertPacks(
  session: PostgresSession,
  repo: string,
  packs: readonly (ReplacingPack & Pick<PackRecord, 'position'>)[],
): void {
  if (packs.length === 0) return;
  const column = <Key extends keyof PackRecord>(key: Key): PackRecord[Key][] => packs.map((pack) => pack[key]);
  void session.rows(
    `WITH reservations AS (
       DELETE FROM packhouse.uploads WHERE repo_id = $1
         AND id IN (SELECT id FROM unnest($2::text[], $3::text[]) AS added (id, place) WHERE place = 'store')
     )
     INSERT INTO packhouse.packs
       (repo_id, id, place, objects, pack_size, idx_size, graph_size, exact, position, after_position, at, borrowed)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::bool[],
       $9::int8[], $10::int8[], $11::int8[], $12::text[])`,
    [
      repo,
      column('id'),
      column('where'),
      column('objects'),
      column('packSize'),
      column('idxSize'),
      column('graphSize'),
      column('exact'),
      column('position'),
      column('after'),
      column('at'),
      column('borrowed'),
    ],
  );
  for (const { id, where, files } of packs) {
    if (where === 'store' || files === undefined) continue;
    // One statement each: bytes alone travel in binary form, in arrays as digits.
    void session.rows(
      'INSERT INTO packhouse.pack_files (repo_id, pack_id, idx, graph, pack) VALUES ($1, $2, $3, $4, $5)',
      [repo, id, shortenIndex(files.idx), files.graph, files.pack],
    );
  }
}

/** Tests if a pack is in the manifest, or retired. */
export async function knowsPack(session: PostgresSession, repo: string, id: PackId): Promise<boolean> {
  const found = await session.rows('SELECT 1 FROM packhouse.packs WHERE repo_id = $1 AND id = $2', [repo, id]);
  return found.length > 0;
}

/** Lists retired packs, in order of their retirement. */
export async function readRetired(session: PostgresSession, repo: string): Promise<RetiredPack[]> {
  const rows = await readRows<PackRecord & { readonly retiredAt: number }>(
    session,
    repo,
    `SELECT ${record}, retired_at AS "retiredAt" FROM packhouse.packs
     WHERE repo_id = $1 AND retired_at IS NOT NULL ORDER BY retired_at, position, id`,
  );
  return rows.map(({ retiredAt: at, ...pack }) => ({ pack, at }));
}

/** Drops those of these packs that are retired. */
export function forgetPacks(session: PostgresSession, repo: string, ids: readonly PackId[]): void {
  void session.rows(
    `WITH dropped AS (
       DELETE FROM packhouse.packs WHERE repo_id = $1 AND id = ANY($2) AND retired_at IS NOT NULL RETURNING id
     )
     DELETE FROM packhouse.pack_files WHERE repo_id = $1 AND pack_id IN (SELECT id FROM dropped)`,
    [repo, ids],
  );
}

/** Moves a pack of the manifest from rows to the store. Returns false if it is not in rows. */
export async function settlePack(session: PostgresSession, repo: string, id: PackId): Promise<boolean> {
  const settled = await session.rows(
    `UPDATE packhouse.packs SET place = 'store'
     WHERE repo_id = $1 AND id = $2 AND place = 'rows' AND retired_at IS NULL RETURNING 1`,
    [repo, id],
  );
  if (settled.length === 0) return false;
  void session.rows(
    `WITH files AS (DELETE FROM packhouse.pack_files WHERE repo_id = $1 AND pack_id = $2)
     DELETE FROM packhouse.uploads WHERE repo_id = $1 AND id = $2`,
    [repo, id],
  );
  return true;
}

export async function readFiles(
  session: PostgresSession,
  repo: string,
  ids: readonly PackId[],
  files: readonly PackFile[],
): Promise<RowFile[]> {
  const rows = await readRows<{ readonly id: PackId } & Readonly<Record<PackFile, Uint8Array>>>(
    session,
    repo,
    `SELECT ${['pack_id AS id', ...new Set(files)].join(', ')} FROM packhouse.pack_files
     WHERE repo_id = $1 AND pack_id = ANY($2)`,
    [ids],
  );
  return rows.flatMap((row) =>
    files.map((file) => ({ id: row.id, file, bytes: file === 'idx' ? restoreIndex(row.idx) : row[file] })),
  );
}
