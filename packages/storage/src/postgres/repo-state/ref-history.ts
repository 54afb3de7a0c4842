import type { PostgresSession } from '@packhouse/base';
import { refHistoryMax } from '@packhouse/git';
import type { AppliedUpdates } from '../../repo-state/apply-updates.ts';
import { formatTarget } from '../../repo-state/ref-target.ts';

/** Columns of a repository after its history has grown. */
export interface HistoryEnd {
  /** Number of recorded changes. */
  readonly changes: number;
  /** The oldest readable version, if all older ones were dropped. */
  readonly oldest: number | null;
}

/**
 * Records the values that the change to `version` replaced. Goes with the commit.
 *
 * @param kept number of changes recorded before.
 */
export function recordHistory(
  session: PostgresSession,
  repo: string,
  version: number,
  { replaced }: AppliedUpdates,
  kept: number,
): HistoryEnd {
  if (replaced.length > refHistoryMax) {
    void session.rows('DELETE FROM packhouse.ref_history WHERE repo_id = $1', [repo]);
    return { changes: 0, oldest: version };
  }
  if (replaced.length > 0) {
    void session.rows(
      `INSERT INTO packhouse.ref_history (repo_id, version, name, target)
       SELECT $1, $2, name, target FROM unnest($3::text[], $4::text[]) AS replaced (name, target)`,
      [repo, version, replaced.map(({ name }) => name), replaced.map(({ target }) => formatTarget(target))],
    );
  }
  return { changes: kept + replaced.length, oldest: null };
}

/** Drops the oldest versions after {@link recordHistory}, until the number of changes is within the limit. */
export function trimHistory(session: PostgresSession, repo: string, { changes }: HistoryEnd): void {
  if (changes <= refHistoryMax) return;
  void session.rows(
    `WITH newest AS (
       SELECT version FROM packhouse.ref_history WHERE repo_id = $1 ORDER BY version LIMIT 1 OFFSET $2
     ), dropped AS (
       DELETE FROM packhouse.ref_history WHERE repo_id = $1 AND version <= (SELECT version FROM newest) RETURNING 1
     )
     UPDATE packhouse.repos SET oldest_refs = (SELECT version FROM newest),
       ref_changes = ref_changes - (SELECT count(*) FROM dropped)
     WHERE id = $1`,
    [repo, changes - refHistoryMax - 1],
  );
}
