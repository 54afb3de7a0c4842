import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Counts the packs of a repository, without replaced ones. Its id is looked up in every database below a data folder.
 */
export const countPacks = (folder: string, id: string): number => {
  for (const file of globSync('**/*.sqlite', { cwd: folder })) {
    const database = new DatabaseSync(join(folder, file), { readOnly: true });
    try {
      const isState = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'packs'").get() !== undefined;
      if (!isState || database.prepare('SELECT 1 FROM repos WHERE id = ?').get(id) === undefined) continue;
      const row = database
        .prepare('SELECT count(*) AS packs FROM packs WHERE repo_id = ? AND retired_at IS NULL')
        .get(id);
      return Number(row?.['packs']);
    } finally {
      database.close();
    }
  }
  throw new Error(`No database in ${folder} has the repository ${id}`);
};
