import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RepoSnapshot, RetiredPack } from '@packhouse/git';
import type { HostedRepo, RepoStorage } from '@packhouse/hosting';
import type { SqlDriver } from '@packhouse/base';

/** A repository in the data folder. */
export interface KnownRepo {
  readonly account: string;
  readonly id: string;
  /** `namespace/name`; undefined if the catalog has no entry for it. */
  readonly name: string | undefined;
  readonly jurisdiction: string;
  /** True if its state exists and is not erased. */
  readonly stored: boolean;
  /** True if its state is complete, so the repository is published or about to be. */
  readonly ready: boolean;
  /**
   * True if its creation, import or fork stopped half-way. No server is working on it, since that server would hold the
   * folder.
   */
  readonly unfinished: boolean;
}

/** A row of the catalog, by {@link listedRepos}. */
export interface ListedRow extends StateRow {
  readonly namespace: string;
  readonly name: string;
  readonly jurisdiction: string;
}

/** A row of the states, by {@link storedRepos}. */
export interface StateRow {
  readonly account: string;
  readonly id: string;
  readonly status: string;
}

/** Selects the repositories of the catalog. `schema` is empty, or ends with a point. */
export function listedRepos(schema: string): string {
  return `SELECT r.account, r.id, n.name AS namespace, r.name, r.status, n.jurisdiction FROM ${schema}catalog_repos AS r
    JOIN ${schema}catalog_namespaces AS n ON n.account = r.account AND n.folded = r.namespace ORDER BY r.account, r.id`;
}

/** Selects the states that are not erased. */
export function storedRepos(schema: string, notErased: string): string {
  return `SELECT account, id, status FROM ${schema}repos WHERE ${notErased} ORDER BY account, id`;
}

/** Returns every repository that has a catalog entry or a state, by account and id. Skips erased ones. */
export function knownRepos(driver: SqlDriver): readonly KnownRepo[] {
  return mergedRepos(driver.all<ListedRow>(listedRepos('')), driver.all<StateRow>(storedRepos('', 'erased = 0')));
}

/** Merges the rows of {@link listedRepos} and {@link storedRepos}. */
export function mergedRepos(listed: readonly ListedRow[], states: readonly StateRow[]): readonly KnownRepo[] {
  const repos = new Map<string, KnownRepo>();
  for (const { account, id, namespace, name, status, jurisdiction } of listed) {
    const unfinished = status !== 'ready';
    repos.set(id, { account, id, name: `${namespace}/${name}`, jurisdiction, stored: false, ready: false, unfinished });
  }
  for (const { account, id, status } of states) {
    const known = repos.get(id);
    const ready = status === 'ready';
    repos.set(
      id,
      known === undefined
        ? { account, id, name: undefined, jurisdiction: 'unrestricted', stored: true, ready, unfinished: false }
        : { ...known, stored: true, ready },
    );
  }
  return [...repos.values()];
}

/** Returns the faults that SQLite finds in the database; empty if it finds nothing. */
export function databaseProblems(driver: SqlDriver): readonly string[] {
  const broken = driver
    .all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
    .map((row) => row.integrity_check);
  const dangling = driver.all<{ table: string }>('PRAGMA foreign_key_check');
  return [
    ...broken.filter((text) => text !== 'ok'),
    ...[...new Set(dangling.map((row) => row.table))].map(
      (table) => `rows of ${table} refer to rows that are not there`,
    ),
  ];
}

/**
 * Returns the packs in the store that nothing refers to: leftovers of dead pushes and merges. A replaced pack counts
 * only once its bytes are removed. The stored copy of a pack whose bytes are in rows counts.
 */
export async function orphanPacks(
  { packs }: HostedRepo,
  snapshot: RepoSnapshot,
  replaced: readonly RetiredPack[],
): Promise<number> {
  const known = [...snapshot.packs, ...replaced.map(({ pack }) => pack)];
  const kept = new Set(known.filter((pack) => pack.where === 'store').map((pack) => pack.id));
  const found = await packs.leftovers(Number.MAX_SAFE_INTEGER);
  return found.filter((id) => !kept.has(id)).length;
}

/** Returns the packs in folders of repositories that no longer exist. */
export async function packsOfNobody(
  folder: string,
  known: readonly KnownRepo[],
  storage: RepoStorage,
): Promise<number> {
  const places = new Set(known.map(({ account, id }) => `${account}/${id}`));
  let count = 0;
  for (const account of subfolders(join(folder, 'packs'))) {
    for (const id of subfolders(join(folder, 'packs', account))) {
      if (places.has(`${account}/${id}`) || !/^[0-9a-z]{16}$/.test(id)) continue;
      count += (await storage.repo(account, id, 'unrestricted').packs.leftovers(Number.MAX_SAFE_INTEGER)).length;
    }
  }
  return count;
}

function subfolders(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
