import type { SqlDriver } from '@packhouse/base';

/** Tables whose rows go with their repository; those that others refer to are last. */
const tables = [
  'refs',
  'ref_history',
  'retired_tips',
  'uploaded_blobs',
  'keyed_results',
  'pack_files',
  'packs',
  'shallow',
  'outcomes',
  'tokens',
];

/**
 * Erases the state of a repository (REPO-116), within a transaction. Records all its packs in the store as begun
 * uploads, even retired ones, so that their bytes can be found and removed.
 */
export function eraseRows(driver: SqlDriver, repo: string): void {
  driver.run(
    `INSERT INTO uploads (repo_id, id, begun_at)
     SELECT repo_id, id, at FROM packs WHERE repo_id = ? AND place = 'store'
     ON CONFLICT (repo_id, id) DO NOTHING`,
    repo,
  );
  driver.run('DELETE FROM pack_rows WHERE id IN (SELECT files_row FROM packs WHERE repo_id = ?)', repo);
  for (const table of tables) {
    driver.run(`DELETE FROM ${table} WHERE repo_id = ?`, repo);
  }
  // Also marks a repository that never began: its creation may be running, and must not succeed.
  driver.run(
    `INSERT INTO repos (id, account, namespace, name, default_branch, read_only, status, version, erased)
     VALUES (?, '', '', '', '', 0, '', 0, 1)
     ON CONFLICT (id) DO UPDATE SET account = '', namespace = '', name = '', default_branch = '', status = '',
       maintain_at = NULL, erased = 1`,
    repo,
  );
}
