import type { Catalog } from '@packhouse/hosting';
import type { PostgresDriver, PostgresSession } from '@packhouse/base';

/** One of this many changes makes its server add up those of the account. */
const changesPerSum = 64;

const goldenRatio = (Math.sqrt(5) - 1) / 2;

/** Maximum number of changes that are added up at once. */
const sumMax = 1_000;

/**
 * SQL of the parts of a statement that set the size of a repo (`$1` account, `$2` id) if `$4` is a newer version of its
 * state, to `$3` bytes. It locks the row of the repo, and no row of the account.
 */
export const resized = {
  /** Common table expression that locks the repo, so that its size before is that of the newest version. */
  old: `old AS (
    SELECT bytes, version FROM packhouse.catalog_repos WHERE account = $1 AND id = $2 FOR NO KEY UPDATE)`,
  /** Assignments of an update of `catalog_repos AS r` from `old`. */
  assignments: `bytes = CASE WHEN r.version < $4::bigint THEN $3::bigint ELSE r.bytes END,
    version = greatest(r.version, $4::bigint)`,
  /** Statement that records the difference, and returns its position. */
  change: `INSERT INTO packhouse.catalog_byte_changes (account, difference)
    SELECT $1, $3::bigint - bytes FROM old WHERE version < $4::bigint AND bytes <> $3::bigint RETURNING position`,
} as const;

export function postgresStoredBytes(driver: PostgresDriver, account: string): Pick<Catalog, 'storedBytes'> {
  return {
    async storedBytes() {
      const [row] = await driver.rows<{ total: number }>(
        `SELECT coalesce((SELECT stored_bytes FROM packhouse.catalog_accounts WHERE account = $1), 0)
           + coalesce((SELECT sum(difference) FROM packhouse.catalog_byte_changes WHERE account = $1), 0) AS total`,
        [account],
      );
      return row?.total ?? 0;
    },
  };
}

/**
 * Adds up the changes of an account now and then, so that their number stays small. Readers see no difference.
 *
 * @param position that of the newest change, if there was one.
 */
export async function sumChanges(
  session: PostgresSession,
  account: string,
  position: number | null | undefined,
): Promise<void> {
  if (typeof position !== 'number') return;
  // A remainder would always choose the same one of accounts that take turns; multiples of this fraction do not.
  const fraction = (position * goldenRatio) % 1;
  if (fraction * changesPerSum >= 1) return;
  await session.rows(
    `WITH summed AS (
       DELETE FROM packhouse.catalog_byte_changes WHERE account = $1 AND position IN (
         SELECT position FROM packhouse.catalog_byte_changes WHERE account = $1
         ORDER BY position LIMIT ${sumMax} FOR UPDATE SKIP LOCKED)
       RETURNING difference)
     INSERT INTO packhouse.catalog_accounts AS a (account, stored_bytes)
     SELECT $1, coalesce(sum(difference), 0) FROM summed
     ON CONFLICT (account) DO UPDATE SET stored_bytes = a.stored_bytes + excluded.stored_bytes`,
    [account],
  );
}
