import type { RepoRecord } from '@packhouse/hosting';
import type { PostgresSession, PostgresValue } from '@packhouse/base';
import { repoOf, type RepoRow } from '../../catalog/repo-row.ts';

/** Columns of a {@link RepoRow}, of a repo with the alias `r` and its namespace with the alias `n`. */
export const repoColumns = `r.id, n.name AS namespace, n.jurisdiction, r.name, r.description, r.default_branch,
  r.read_only, r.source, r.status, r.created_at, r.updated_at, r.last_push_at, r.version, r.parent_id, r.root_id,
  r.revision, r.unsettled`;

/** SQL that joins repos with the alias `r` with their namespaces. */
export const joinNamespace =
  'JOIN packhouse.catalog_namespaces AS n ON n.account = r.account AND n.folded = r.namespace';

/** Reads the repos of an account (`$1`) that meet a condition on `r`. */
export async function selectRepos(
  session: PostgresSession,
  rest: string,
  parameters: readonly PostgresValue[],
): Promise<RepoRecord[]> {
  const rows = await session.rows<RepoRow>(
    `SELECT ${repoColumns} FROM packhouse.catalog_repos AS r ${joinNamespace} WHERE r.account = $1 AND ${rest}`,
    parameters,
  );
  return rows.map(repoOf);
}
