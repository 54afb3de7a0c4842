import { parsePackId, StorageError, type PackId } from '@packhouse/git';
import type { SqlDriver } from '@packhouse/base';
import type { PackStores } from '../packs/pack-stores.ts';
import { copyPack } from './copy-pack.ts';
import type { Session } from './copied-table.ts';
import type { Show } from './copy-rows.ts';
import { DamagedPackError, type PackSizes } from './pack-digest.ts';

/** A pack in the place for packs that a database names. */
export interface StoredPack {
  readonly account: string;
  readonly repo: string;
  readonly id: PackId;
  readonly sizes: PackSizes;
  /** False for a replaced pack, and one of a repository that is still being made: its files may be missing. */
  readonly isNeeded: boolean;
}

interface StoredRow {
  readonly account: string;
  readonly repo: string;
  readonly id: PackId;
  readonly pack: number;
  readonly idx: number;
  readonly graph: number;
  readonly needed: number;
}

const select = (schema: string, notErased: string, number: string): string =>
  `SELECT r.account, r.id AS repo, p.id, p.pack_size AS pack, p.idx_size AS idx, p.graph_size AS graph,
     (p.retired_at IS NULL AND r.status = 'ready')${number} AS needed
   FROM ${schema}repos AS r JOIN ${schema}packs AS p ON p.repo_id = r.id WHERE ${notErased} AND p.place = 'store'`;

/** Returns the packs that a database of SQLite names, in the place for packs. */
export function storedPacksOfSqlite(driver: SqlDriver): readonly StoredPack[] {
  return driver.all<StoredRow>(select('', 'r.erased = 0', '')).map(storedOf);
}

/** Returns the packs that a database of PostgreSQL names, in the place for packs. */
export async function storedPacksOfPostgres(session: Session): Promise<readonly StoredPack[]> {
  return (await session.rows<StoredRow>(select('packhouse.', 'NOT r.erased', '::int'))).map(storedOf);
}

function storedOf({ account, repo, id, pack, idx, graph, needed }: StoredRow): StoredPack {
  return { account, repo, id, sizes: { pack, idx, graph }, isNeeded: needed === 1 };
}

export interface PacksToCopy {
  readonly from: PackStores;
  readonly to: PackStores;
  readonly packs: readonly StoredPack[];
  /** Ids of packs of which the target has files. */
  readonly begun: ReadonlySet<PackId>;
  /** Packs that earlier calls copied, and that this one adds to. */
  readonly done: Set<string>;
  readonly show: Show;
}

export interface CopiedPacks {
  /** Packs that were copied, or linked if a fork shares them. */
  readonly copied: number;
  /** Packs that were there already. */
  readonly present: number;
  /** Bytes of the copied packs with their indexes and graphs. */
  readonly bytes: number;
}

/** Packs that are copied at once: each needs several requests, of which most of the time is waiting. */
const atOnce = 4;

/**
 * Copies packs. A pack that repositories of an account share is copied once.
 *
 * @throws {DamagedPackError} for a pack that is not sound, {@link StorageError} if a store fails or lacks a pack that is
 *   needed.
 */
export async function copyPacks({ from, to, packs, begun, done, show }: PacksToCopy): Promise<CopiedPacks> {
  const wanted = packs
    .filter((pack) => !done.has(keyOf(pack)))
    .toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
  const shared = Map.groupBy(wanted, ({ account, id }) => `${account}/${id}`);
  const waiting = shared.values();
  let [copied, present, bytes, seen] = [0, 0, 0, 0];
  const copyNext = async (): Promise<void> => {
    for (const group of waiting) {
      const [first, ...others] = group as [StoredPack, ...StoredPack[]];
      show(`Copying pack ${++seen} of ${shared.size}`);
      const { account, repo, id } = first;
      try {
        const remove = async (): Promise<void> => {
          for (const one of group) await to.repo(account, one.repo).remove(id);
        };
        const found = begun.has(id) ? remove : undefined;
        const outcome = await copyPack(from.repo(account, repo), to.repo(account, repo), first, found);
        for (const other of others) await to.share(account, repo, other.repo, [id]);
        for (const pack of group) done.add(keyOf(pack));
        if (outcome === 'present') present += group.length;
        else {
          copied += group.length;
          bytes += first.sizes.pack + first.sizes.idx + first.sizes.graph;
        }
      } catch (error) {
        // A replaced pack may be gone, and a store that fails says so with one that is needed.
        const isMissing = error instanceof StorageError && !(error instanceof DamagedPackError);
        if (!isMissing || first.isNeeded) throw error;
      }
    }
  };
  const all = await Promise.allSettled(Array.from({ length: atOnce }, copyNext));
  for (const one of all) if (one.status === 'rejected') throw one.reason;
  return { copied, present, bytes };
}

function keyOf({ repo, id }: StoredPack): string {
  return `${repo} ${id}`;
}

/** Returns the id of the pack with a file of this name, such as `<account>/<id>.pack`; undefined for other names. */
export function packOfName(name: string): PackId | undefined {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return /^[0-9a-f]{32}\./.test(last) ? parsePackId(last.slice(0, 32)) : undefined;
}
