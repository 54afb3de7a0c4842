import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The stored packs of a repository in a data folder. Can be read while a server runs. */
export interface KeptPacks {
  /** Packs that it consists of, and that were replaced. */
  readonly packs: number;
  readonly replaced: number;
  /** Objects in the packs that it consists of. */
  readonly objects: number;
  /** Bytes of packs, indexes and graphs in files and rows, replaced ones included. */
  readonly bytes: number;
  /** Stored bytes of the repository according to the catalog (LIM-012). */
  readonly listedBytes: number;
}

export function packsOf(data: string, id: string): KeptPacks {
  const database = new DatabaseSync(join(data, 'packhouse.sqlite'), { readOnly: true });
  try {
    const one = (statement: string): number => Number(Object.values(database.prepare(statement).get(id) ?? {})[0]);
    const files = globSync(`packs/*/${id}/*.{pack,idx,graph}`, { cwd: data }).map(
      (file) => statSync(join(data, file)).size,
    );
    return {
      packs: one('SELECT count(*) FROM packs WHERE repo_id = ? AND retired_at IS NULL'),
      replaced: one('SELECT count(*) FROM packs WHERE repo_id = ? AND retired_at IS NOT NULL'),
      objects: one('SELECT coalesce(sum(objects), 0) FROM packs WHERE repo_id = ? AND retired_at IS NULL'),
      listedBytes: one('SELECT bytes FROM catalog_repos WHERE id = ?'),
      bytes: files.reduce(
        (sum, size) => sum + size,
        one(`SELECT coalesce(sum(length(pack) + length(graph) + idx_size), 0)
             FROM packs JOIN pack_rows ON pack_rows.id = files_row WHERE repo_id = ?`),
      ),
    };
  } finally {
    database.close();
  }
}

/** Waits until what is kept is as wanted, and answers it. @throws after a minute. */
export async function packsUntil(data: string, id: string, isWanted: (kept: KeptPacks) => boolean): Promise<KeptPacks> {
  for (let waited = 0; waited < 600; waited++) {
    const kept = packsOf(data, id);
    if (isWanted(kept)) return kept;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`it is still ${JSON.stringify(packsOf(data, id))}`);
}
