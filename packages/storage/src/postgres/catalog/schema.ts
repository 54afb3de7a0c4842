import type { Migration } from '@packhouse/base';

/**
 * Tables of the catalogs and pack holders of all accounts in PostgreSQL. `folded` is a lower-case name. Each sort order of a list has an
 * index (REPO-103, REPO-115); pages of the usual direction, newest first, need no sort.
 */
export const postgresCatalogMigrations: readonly Migration[] = [
  {
    name: 'catalog',
    statements: [
      `CREATE TABLE packhouse.catalog_namespaces (
         account text COLLATE "C" NOT NULL, folded text COLLATE "C" NOT NULL, name text NOT NULL,
         jurisdiction text NOT NULL, repo_count bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL,
         PRIMARY KEY (account, folded)
       )`,
      `CREATE INDEX catalog_namespaces_by_time
       ON packhouse.catalog_namespaces (account, created_at DESC, folded)`,
      // `last_push_at` is -1 without a push, which sorts before any time. `version` is the state that reported `bytes`.
      // `unsettled` has the events as JSON while an update is unsettled.
      `CREATE TABLE packhouse.catalog_repos (
         account text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL,
         folded text COLLATE "C" NOT NULL, name text NOT NULL, description bytea, default_branch text NOT NULL,
         read_only boolean NOT NULL, source text, status text NOT NULL, created_at bigint NOT NULL,
         updated_at bigint NOT NULL, last_push_at bigint NOT NULL, bytes bigint NOT NULL, version bigint NOT NULL,
         parent_id text COLLATE "C", root_id text COLLATE "C", revision bigint NOT NULL, unsettled text,
         PRIMARY KEY (account, id),
         FOREIGN KEY (account, namespace) REFERENCES packhouse.catalog_namespaces (account, folded)
       )`,
      'CREATE UNIQUE INDEX catalog_repos_by_name ON packhouse.catalog_repos (account, namespace, folded)',
      `CREATE INDEX catalog_repos_by_creation
       ON packhouse.catalog_repos (account, namespace, created_at DESC, id)`,
      'CREATE INDEX catalog_repos_by_update ON packhouse.catalog_repos (account, namespace, updated_at DESC, id)',
      'CREATE INDEX catalog_repos_by_push ON packhouse.catalog_repos (account, namespace, last_push_at DESC, id)',
      `CREATE INDEX catalog_repos_unfinished ON packhouse.catalog_repos (account, updated_at) WHERE status <> 'ready'`,
      `CREATE INDEX catalog_repos_by_parent
       ON packhouse.catalog_repos (account, parent_id) WHERE parent_id IS NOT NULL`,
      'CREATE INDEX catalog_repos_unsettled ON packhouse.catalog_repos (account, id) WHERE unsettled IS NOT NULL',
      `CREATE TABLE packhouse.catalog_tokens (
         account text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, repo_id text COLLATE "C" NOT NULL,
         created_at bigint NOT NULL, expires_at bigint NOT NULL,
         PRIMARY KEY (account, id),
         FOREIGN KEY (account, repo_id) REFERENCES packhouse.catalog_repos (account, id) ON DELETE CASCADE
       )`,
      'CREATE INDEX catalog_tokens_by_repo ON packhouse.catalog_tokens (account, repo_id, created_at DESC, id)',
      // `due` is null once everything is erased. `packs` and `record` are JSON.
      `CREATE TABLE packhouse.catalog_deleted (
         account text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, namespace text COLLATE "C" NOT NULL,
         folded text COLLATE "C" NOT NULL, jurisdiction text NOT NULL, deleted_at bigint NOT NULL,
         remembered boolean NOT NULL, due bigint, packs text NOT NULL, record text,
         PRIMARY KEY (account, id)
       )`,
      `CREATE INDEX catalog_deleted_by_name
       ON packhouse.catalog_deleted (account, namespace, folded, deleted_at DESC, id) WHERE remembered`,
      'CREATE INDEX catalog_deleted_due ON packhouse.catalog_deleted (account, due) WHERE due IS NOT NULL',
      'CREATE INDEX catalog_deleted_erased ON packhouse.catalog_deleted (account, deleted_at) WHERE due IS NULL',
      // The stored bytes of an account are its sum here plus its changes, so that pushes do not wait for one row.
      'CREATE TABLE packhouse.catalog_accounts (account text COLLATE "C" PRIMARY KEY, stored_bytes bigint NOT NULL)',
      `CREATE TABLE packhouse.catalog_byte_changes (
         account text COLLATE "C" NOT NULL, position bigint GENERATED ALWAYS AS IDENTITY, difference bigint NOT NULL,
         PRIMARY KEY (account, position)
       )`,
    ],
  },
  {
    name: 'pack holders',
    statements: [
      `CREATE TABLE packhouse.pack_holders (
         account text COLLATE "C" NOT NULL, pack_id text COLLATE "C" NOT NULL, repo_id text COLLATE "C" NOT NULL,
         held_at bigint NOT NULL, PRIMARY KEY (account, pack_id, repo_id)
       )`,
      'CREATE INDEX pack_holders_by_repo ON packhouse.pack_holders (account, repo_id, held_at, pack_id)',
    ],
  },
  {
    name: 'API tokens',
    statements: [
      // `folded` is the namespace in lower case; null, as `repo_id`, for the whole account. `permissions` is JSON.
      `CREATE TABLE packhouse.api_tokens (
         account text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, secret_hash text COLLATE "C" NOT NULL,
         name text NOT NULL, permissions text NOT NULL, namespace text, folded text COLLATE "C",
         repo_id text COLLATE "C", created_by text COLLATE "C", created_at bigint NOT NULL, expires_at bigint NOT NULL,
         revoked_at bigint, PRIMARY KEY (account, id)
       )`,
      'CREATE UNIQUE INDEX api_tokens_by_hash ON packhouse.api_tokens (account, secret_hash)',
      'CREATE INDEX api_tokens_by_time ON packhouse.api_tokens (account, created_at DESC, id)',
    ],
  },
];
