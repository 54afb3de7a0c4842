import type { PostgresSession } from '@packhouse/base';
import type { ObjectId, RetiredTip } from '@packhouse/git';

/** Selects the retired tips, newest first, ties bytewise by name and id. */
export const retiredTips = `SELECT name, oid, at FROM packhouse.retired_tips
  WHERE repo_id = $1 ORDER BY at DESC, name, oid`;

/** Selects the boundary of a shallow repository (GIT-075), sorted. */
export const shallowCommits = 'SELECT oid FROM packhouse.shallow WHERE repo_id = $1 ORDER BY oid';

/** Records with the commit that refs left these values at `at`. A known value gets the newer time. */
export function addTips(
  session: PostgresSession,
  repo: string,
  tips: readonly Omit<RetiredTip, 'at'>[],
  at: number,
): void {
  if (tips.length === 0) return;
  void session.rows(
    `INSERT INTO packhouse.retired_tips (repo_id, name, oid, at)
     SELECT $1, name, oid, $4 FROM unnest($2::text[], $3::text[]) AS left_tips (name, oid)
     ON CONFLICT (repo_id, name, oid) DO UPDATE SET at = greatest(retired_tips.at, excluded.at)`,
    [repo, tips.map(({ name }) => name), tips.map(({ oid }) => oid), at],
  );
}

/** Adds commits to the boundary with the commit. Skips existing ones. */
export function addShallow(session: PostgresSession, repo: string, oids: readonly ObjectId[]): void {
  if (oids.length === 0) return;
  void session.rows(
    'INSERT INTO packhouse.shallow (repo_id, oid) SELECT $1, unnest($2::text[]) ON CONFLICT (repo_id, oid) DO NOTHING',
    [repo, oids],
  );
}

/** Records uploads at `at` with the commit. A known blob gets the newer time. */
export function addUploadedBlobs(session: PostgresSession, repo: string, oids: readonly ObjectId[], at: number): void {
  if (oids.length === 0) return;
  void session.rows(
    `INSERT INTO packhouse.uploaded_blobs (repo_id, oid, at) SELECT $1, unnest($2::text[]), $3
     ON CONFLICT (repo_id, oid) DO UPDATE SET at = greatest(uploaded_blobs.at, excluded.at)`,
    [repo, [...new Set(oids)], at],
  );
}
