import type { PostgresSession } from '@packhouse/base';
import { refHistoryMax } from '@packhouse/git';
import type { AppliedUpdates } from '../../repo-state/apply-updates.ts';
import { formatTarget } from '../../repo-state/ref-target.ts';

/**
 * Records the values that the change to `version` replaced, and drops the oldest changes if there are too many. Goes with
 * the commit.
 *
 * @param kept number of changes recorded before.
 */
export function recordHistory(
  session: PostgresSession,
  repo: string,
  version: number,
  { replaced }: AppliedUpdates,
  kept: number,
): void {
  if (replaced.length > refHistoryMax) {
    void session.rows('DELETE FROM packhouse.ref_history WHERE repo_id = $1', [repo]);
    void session.rows('UPDATE packhouse.repos SET oldest_refs = $2, ref_changes = 0 WHERE id = $1', [repo, version]);
    return;
  }
  if (replaced.length === 0) return;
  const count = kept + replaced.length;
  void session.rows(
    `WITH recorded AS (
       INSERT INTO packhouse.ref_history (repo_id, version, name, target)
       SELECT $1, $2, name, target FROM unnest($3::text[], $4::text[]) AS replaced (name, target)
     )
     UPDATE packhouse.repos SET ref_changes = $5 WHERE id = $1`,
    [repo, version, replaced.map(({ name }) => name), replaced.map(({ target }) => formatTarget(target)), count],
  );
  if (count <= refHistoryMax) return;
  void session.rows(
    `WITH newest AS (
       SELECT version FROM packhouse.ref_history WHERE repo_id = $1 ORDER BY version LIMIT 1 OFFSET $2
     ), dropped AS (
       DELETE FROM packhouse.ref_history WHERE repo_id = $1 AND version <= (SELECT version FROM newest) RETURNING 1
     )
     UPDATE packhouse.repos SET oldest_refs = (SELECT version FROM newest),
       ref_changes = ref_changes - (SELECT count(*) FROM dropped)
     WHERE id = $1`,
    [repo, count - refHistoryMax - 1],
  );
}
