import { type Catalog, foldName, type RepoRecord } from '@packhouse/hosting';
import { type PostgresDriver, PostgresError } from '@packhouse/base';
import { repoOf, type RepoRow } from '../../catalog/repo-row.ts';
import { joinNamespace, repoColumns, selectRepos } from './repo-select.ts';
import { resized, sumChanges } from './stored-bytes.ts';
import { searchText } from './texts.ts';

type RepoWrites = Pick<Catalog, 'reserveRepo' | 'publishRepo' | 'renewRepo' | 'updateRepo' | 'settleRepo' | 'touch'>;

/** A version that is never newer, so that the size of a repo stays. */
const noSize = { bytes: 0, version: -1 };

/**
 * Changes repos of one account in PostgreSQL, each with one statement. The unique index of names decides which of two
 * repos has a name. A push locks the row of its repo, and nothing of the namespace or the account.
 */
export function postgresRepoWrites(driver: PostgresDriver, account: string): RepoWrites {
  const encoder = new TextEncoder();
  const bytesOf = (description: string | null) => (description === null ? null : encoder.encode(description));
  const repoById = async (id: string): Promise<RepoRecord | undefined> =>
    (await selectRepos(driver, 'r.id = $2', [account, id]))[0];
  return {
    async reserveRepo(repo, token) {
      // The lock of the namespace's row orders reservations and the deletion of the namespace.
      const statement = `WITH n AS (
          INSERT INTO packhouse.catalog_namespaces AS n
            (account, folded, name, jurisdiction, repo_count, created_at, updated_at)
          VALUES ($1, $3, $14, 'unrestricted', 1, $11::bigint, $11::bigint)
          ON CONFLICT (account, folded) DO UPDATE
            SET repo_count = n.repo_count + 1, updated_at = greatest(n.updated_at, excluded.updated_at)
            WHERE NOT EXISTS (
              SELECT 1 FROM packhouse.catalog_repos WHERE account = $1 AND namespace = $3 AND folded = $4)
          RETURNING name, jurisdiction),
        r AS (
          INSERT INTO packhouse.catalog_repos (account, id, namespace, folded, name, description, default_branch,
            read_only, source, status, created_at, updated_at, last_push_at, bytes, version, parent_id, root_id, revision)
          SELECT $1, $2, $3, $4, $5, $6::bytea, $7, $8::boolean, $9, $10, $11, $11, -1, 0, 0, $12, $13, 0 FROM n
          RETURNING *),
        t AS (
          INSERT INTO packhouse.catalog_tokens (account, id, repo_id, created_at, expires_at)
          SELECT account, $15, id, $16::bigint, $17::bigint FROM r)
        SELECT ${repoColumns} FROM r CROSS JOIN n`;
      try {
        const [row] = await driver.rows<RepoRow>(statement, [
          account,
          repo.id,
          foldName(repo.namespace),
          foldName(repo.name),
          repo.name,
          bytesOf(repo.description),
          repo.defaultBranch,
          repo.readOnly,
          repo.source,
          repo.status,
          repo.createdAt,
          repo.parentId,
          repo.rootId,
          repo.namespace,
          token.id,
          token.createdAt,
          token.expiresAt,
        ]);
        return row === undefined ? { kind: 'exists' } : { kind: 'reserved', repo: repoOf(row) };
      } catch (error) {
        if (isTakenName(error)) return { kind: 'exists' };
        throw error;
      }
    },
    async publishRepo(id, found) {
      const { bytes, version } = found ?? noSize;
      const [row] = await driver.rows<{ published: boolean; position: number | null }>(
        `WITH ${resized.old},
         published AS (
           UPDATE packhouse.catalog_repos AS r SET status = 'ready', default_branch = coalesce($5, r.default_branch),
             updated_at = greatest(r.updated_at, $6::bigint), ${resized.assignments}
           FROM old WHERE r.account = $1 AND r.id = $2 RETURNING 1),
         change AS (${resized.change})
         SELECT EXISTS (SELECT 1 FROM published) AS published, (SELECT position FROM change) AS position`,
        [account, id, bytes, version, found?.defaultBranch ?? null, found?.at ?? 0],
      );
      await sumChanges(driver, account, row?.position);
      return row?.published ?? false;
    },
    async renewRepo(id, at) {
      // A ready repo ignores a late sign of life (REPO-057).
      const renewed = await driver.rows(
        `UPDATE packhouse.catalog_repos
         SET updated_at = CASE status WHEN 'ready' THEN updated_at ELSE greatest(updated_at, $3::bigint) END
         WHERE account = $1 AND id = $2 RETURNING 1`,
        [account, id, at],
      );
      return renewed.length > 0;
    },
    async updateRepo(id, { name, description, defaultBranch, readOnly, revision, at, forkSource, events }) {
      try {
        const [row] = await driver.rows<RepoRow>(
          `WITH r AS (
             UPDATE packhouse.catalog_repos SET folded = $4, name = $5, description = $6, default_branch = $7,
               read_only = $8, revision = revision + 1, unsettled = $9, updated_at = greatest(updated_at, $10::bigint)
             WHERE account = $1 AND id = $2 AND status = 'ready' AND revision = $3 AND unsettled IS NULL RETURNING *),
           forks AS (
             UPDATE packhouse.catalog_repos AS fork SET source = $11 FROM r
             WHERE fork.account = $1 AND fork.parent_id = $2 AND fork.source IS DISTINCT FROM $11)
           SELECT ${repoColumns} FROM r ${joinNamespace}`,
          [
            account,
            searchText(id),
            revision,
            foldName(name),
            name,
            bytesOf(description),
            defaultBranch,
            readOnly,
            JSON.stringify(events),
            at,
            forkSource,
          ],
        );
        if (row !== undefined) return { kind: 'updated', repo: repoOf(row) };
      } catch (error) {
        if (isTakenName(error)) return { kind: 'exists' };
        throw error;
      }
      const found = await repoById(searchText(id));
      return found?.status === 'ready' ? { kind: 'stale' } : { kind: 'missing' };
    },
    async settleRepo(id, revision) {
      await driver.rows(
        `UPDATE packhouse.catalog_repos SET unsettled = NULL
         WHERE account = $1 AND id = $2 AND revision = $3 AND unsettled IS NOT NULL`,
        [account, id, revision],
      );
      return repoById(id);
    },
    async touch(id, { pushedAt, bytes, version }) {
      const [change] = await driver.rows<{ position: number }>(
        `WITH ${resized.old},
         touched AS (
           UPDATE packhouse.catalog_repos AS r SET last_push_at = greatest(r.last_push_at, $5::bigint),
             updated_at = greatest(r.updated_at, $5::bigint), ${resized.assignments}
           FROM old WHERE r.account = $1 AND r.id = $2)
         ${resized.change}`,
        [account, id, bytes, version, pushedAt ?? -1],
      );
      await sumChanges(driver, account, change?.position);
    },
  };
}

function isTakenName(error: unknown): boolean {
  return error instanceof PostgresError && error.constraint === 'catalog_repos_by_name';
}
