import type { SqlDriver } from '@packhouse/base';

/**
 * Returns when the sweep of an account next has work, in milliseconds since 1970, or undefined if never. Work is an
 * unfinished creation or an unsettled update, `grace` milliseconds after its last sign of life; a pending erasure; or an erased repo whose
 * record expires after `memory` milliseconds.
 */
export function nextSweep(
  driver: SqlDriver,
  account: string,
  { grace, memory }: { readonly grace: number; readonly memory: number },
): number | undefined {
  const [row] = driver.all<{ at: number | null }>(
    `SELECT min(at) AS at FROM (
       SELECT min(updated_at) + ?2 AS at FROM catalog_repos WHERE account = ?1 AND status <> 'ready'
       UNION ALL SELECT min(updated_at) + ?2 FROM catalog_repos WHERE account = ?1 AND unsettled IS NOT NULL
       UNION ALL SELECT min(due) FROM catalog_deleted WHERE account = ?1 AND due IS NOT NULL
       UNION ALL SELECT min(deleted_at) + ?3 + 1 FROM catalog_deleted WHERE account = ?1 AND due IS NULL)`,
    account,
    grace,
    memory,
  );
  return row?.at ?? undefined;
}
