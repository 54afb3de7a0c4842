import type { Migration } from '@packhouse/base';

/**
 * Tables of the catalogs of all accounts. They can share a database with the repository states. `folded` is a
 * lower-case name; text compares bytewise. Each sort order of a list has an index (REPO-103, REPO-115).
 */
export const catalogMigrations: readonly Migration[] = [
  {
    name: 'catalog',
    statements: [
      'CREATE TABLE catalog_accounts (account TEXT PRIMARY KEY, stored_bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      `CREATE TABLE catalog_namespaces (
         account TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL, jurisdiction TEXT NOT NULL,
         repo_count INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
         PRIMARY KEY (account, folded)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX catalog_namespaces_by_time ON catalog_namespaces (account, created_at DESC, folded)',
      // `last_push_at` is -1 without a push, which sorts before any time. `version` is the state that reported `bytes`.
      `CREATE TABLE catalog_repos (
         account TEXT NOT NULL, id TEXT NOT NULL, namespace TEXT NOT NULL, folded TEXT NOT NULL, name TEXT NOT NULL,
         description TEXT, default_branch TEXT NOT NULL, read_only INTEGER NOT NULL, source TEXT, status TEXT NOT NULL,
         created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, last_push_at INTEGER NOT NULL,
         bytes INTEGER NOT NULL, version INTEGER NOT NULL,
         PRIMARY KEY (account, id),
         FOREIGN KEY (account, namespace) REFERENCES catalog_namespaces (account, folded)
       ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX catalog_repos_by_name ON catalog_repos (account, namespace, folded)',
      'CREATE INDEX catalog_repos_by_creation ON catalog_repos (account, namespace, created_at, id)',
      'CREATE INDEX catalog_repos_by_update ON catalog_repos (account, namespace, updated_at, id)',
      'CREATE INDEX catalog_repos_by_push ON catalog_repos (account, namespace, last_push_at, id)',
      "CREATE INDEX catalog_repos_unfinished ON catalog_repos (account, created_at) WHERE status <> 'ready'",
      `CREATE TABLE catalog_tokens (
         account TEXT NOT NULL, id TEXT NOT NULL, repo_id TEXT NOT NULL, created_at INTEGER NOT NULL,
         expires_at INTEGER NOT NULL,
         PRIMARY KEY (account, id),
         FOREIGN KEY (account, repo_id) REFERENCES catalog_repos (account, id) ON DELETE CASCADE
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX catalog_tokens_by_repo ON catalog_tokens (account, repo_id, created_at DESC, id)',
      // `due` is null once everything is erased.
      `CREATE TABLE catalog_deleted (
         account TEXT NOT NULL, id TEXT NOT NULL, namespace TEXT NOT NULL, folded TEXT NOT NULL,
         jurisdiction TEXT NOT NULL, deleted_at INTEGER NOT NULL, remembered INTEGER NOT NULL, due INTEGER,
         packs TEXT NOT NULL,
         PRIMARY KEY (account, id)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX catalog_deleted_by_name ON catalog_deleted (account, namespace, folded, deleted_at)',
      'CREATE INDEX catalog_deleted_due ON catalog_deleted (account, due) WHERE due IS NOT NULL',
      'CREATE INDEX catalog_deleted_erased ON catalog_deleted (account, deleted_at) WHERE due IS NULL',
    ],
  },
  {
    name: 'records of deleted repositories',
    // Null if the repo was never ready, or was deleted before events existed.
    statements: ['ALTER TABLE catalog_deleted ADD COLUMN record TEXT'],
  },
  {
    name: 'updates of repositories',
    statements: [
      // Forks of before have no parent, so their `source` does not follow its name.
      'ALTER TABLE catalog_repos ADD COLUMN parent_id TEXT',
      'ALTER TABLE catalog_repos ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
      // Events as JSON while an update is unsettled.
      'ALTER TABLE catalog_repos ADD COLUMN unsettled TEXT',
      'CREATE INDEX catalog_repos_by_parent ON catalog_repos (account, parent_id) WHERE parent_id IS NOT NULL',
      'CREATE INDEX catalog_repos_unsettled ON catalog_repos (account, id) WHERE unsettled IS NOT NULL',
    ],
  },
  {
    name: 'families of forks',
    statements: [
      'ALTER TABLE catalog_repos ADD COLUMN root_id TEXT',
      // The last id that is known: where a parent is deleted, its own parent is forgotten.
      `UPDATE catalog_repos SET root_id = (
         WITH RECURSIVE ancestors (id, distance) AS (
           SELECT catalog_repos.parent_id, 1
           UNION ALL
           SELECT r.parent_id, distance + 1 FROM ancestors JOIN catalog_repos AS r
             ON r.account = catalog_repos.account AND r.id = ancestors.id WHERE r.parent_id IS NOT NULL
         )
         SELECT id FROM ancestors ORDER BY distance DESC LIMIT 1
       ) WHERE parent_id IS NOT NULL`,
    ],
  },
  {
    name: 'API tokens',
    statements: [
      // `folded` is the namespace in lower case; null, as `repo_id`, for the whole account. `permissions` is JSON.
      `CREATE TABLE api_tokens (
         account TEXT NOT NULL, id TEXT NOT NULL, secret_hash TEXT NOT NULL, name TEXT NOT NULL,
         permissions TEXT NOT NULL, namespace TEXT, folded TEXT, repo_id TEXT, created_by TEXT,
         created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER,
         PRIMARY KEY (account, id)
       ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX api_tokens_by_hash ON api_tokens (account, secret_hash)',
      'CREATE INDEX api_tokens_by_time ON api_tokens (account, created_at DESC, id)',
    ],
  },
];

/**
 * Migrations of a database with both repository states and catalogs, to run after those of both. Workers keep them in
 * separate databases.
 */
export const combinedMigrations: readonly Migration[] = [
  {
    name: 'indexes and graphs in stored bytes',
    statements: [
      // Before this step, the bytes were those of the pack files only (GIT-166).
      `UPDATE catalog_repos SET bytes =
         (SELECT coalesce(sum(pack_size + idx_size + graph_size), 0) FROM packs
          WHERE repo_id = catalog_repos.id AND retired_at IS NULL)`,
      `UPDATE catalog_accounts SET stored_bytes =
         (SELECT coalesce(sum(bytes), 0) FROM catalog_repos WHERE account = catalog_accounts.account)`,
    ],
  },
  {
    name: 'webhooks of deleted namespaces',
    // `owner` has the form of `namespaceOwner`.
    statements: [
      `CREATE TRIGGER namespace_webhooks AFTER DELETE ON catalog_namespaces BEGIN
         DELETE FROM webhooks WHERE owner = old.account || '/' || old.folded;
       END`,
    ],
  },
];
