import type { SqlDriver } from '@packhouse/base';

/**
 * When the sweep of an account next has something to do, in milliseconds since 1970: for a creation that does not end
 * `grace` milliseconds after its last sign of life, for what is to be erased, for what was erased and is remembered for `memory`
 * milliseconds. Undefined: never.
 */
export function nextSweep(
  driver: SqlDriver,
  account: string,
  { grace, memory }: { readonly grace: number; readonly memory: number },
): number | undefined {
  const [row] = driver.all<{ at: number | null }>(
    `SELECT min(at) AS at FROM (
       SELECT min(updated_at) + ?2 AS at FROM catalog_repos WHERE account = ?1 AND status <> 'ready'
       UNION ALL SELECT min(due) FROM catalog_deleted WHERE account = ?1 AND due IS NOT NULL
       UNION ALL SELECT min(deleted_at) + ?3 + 1 FROM catalog_deleted WHERE account = ?1 AND due IS NULL)`,
    account,
    grace,
    memory,
  );
  return row?.at ?? undefined;
}
