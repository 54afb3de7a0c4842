import type { Migration } from '@packhouse/base';
import { webhookMigration } from '../webhooks/schema.ts';

/**
 * Tables of the repository states, for one database with all repositories or for a Durable Object with one. Text
 * compares bytewise (`BINARY`), so the key of `refs` has Git's order.
 */
export const repoStateMigrations: readonly Migration[] = [
  {
    name: 'repository state',
    statements: [
      // An erased repository keeps its row for a day, so that a late `begin` does not bring it back.
      `CREATE TABLE repos (
         id TEXT PRIMARY KEY, account TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
         default_branch TEXT NOT NULL, read_only INTEGER NOT NULL, status TEXT NOT NULL,
         version INTEGER NOT NULL, pushed_at INTEGER, erased INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE refs (
         repo_id TEXT NOT NULL REFERENCES repos (id), name TEXT NOT NULL, oid TEXT NOT NULL,
         kind INTEGER NOT NULL, peeled TEXT,
         PRIMARY KEY (repo_id, name)
       ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE packs (
         repo_id TEXT NOT NULL REFERENCES repos (id), id TEXT NOT NULL, position INTEGER NOT NULL, place TEXT NOT NULL,
         objects INTEGER NOT NULL, pack_size INTEGER NOT NULL, idx_size INTEGER NOT NULL, graph_size INTEGER NOT NULL,
         exact INTEGER NOT NULL,
         PRIMARY KEY (repo_id, id)
       ) STRICT, WITHOUT ROWID`,
      // Keeps the rowid: rows of megabytes would make a tree by key slow.
      `CREATE TABLE pack_files (
         repo_id TEXT NOT NULL, pack_id TEXT NOT NULL, file TEXT NOT NULL, bytes BLOB NOT NULL,
         PRIMARY KEY (repo_id, pack_id, file), FOREIGN KEY (repo_id, pack_id) REFERENCES packs (repo_id, id)
       ) STRICT`,
      `CREATE TABLE shallow (
         repo_id TEXT NOT NULL REFERENCES repos (id), oid TEXT NOT NULL, PRIMARY KEY (repo_id, oid)
       ) STRICT, WITHOUT ROWID`,
      // Split into pieces, since the outcome of many updates with long names can exceed the maximum row size.
      `CREATE TABLE pushes (
         repo_id TEXT NOT NULL REFERENCES repos (id), push_id TEXT NOT NULL, piece INTEGER NOT NULL,
         at INTEGER NOT NULL, outcome BLOB NOT NULL,
         PRIMARY KEY (repo_id, push_id, piece)
       ) STRICT`,
      'CREATE INDEX pushes_by_time ON pushes (repo_id, at)',
      `CREATE TABLE tokens (
         repo_id TEXT NOT NULL REFERENCES repos (id), id TEXT NOT NULL, secret_hash TEXT NOT NULL, scope TEXT NOT NULL,
         created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER,
         PRIMARY KEY (repo_id, id)
       ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX tokens_by_hash ON tokens (repo_id, secret_hash)',
    ],
  },
  {
    name: 'tokens by time',
    statements: [
      // Contains all columns that determine the state, so that counting and paging read only the rows of the page.
      'CREATE INDEX tokens_by_time ON tokens (repo_id, created_at DESC, id, expires_at, revoked_at)',
    ],
  },
  {
    name: 'uploads',
    statements: [
      // Packs outside the manifest that may have bytes in a bucket. Survives the erasure of its repository.
      `CREATE TABLE uploads (
         repo_id TEXT NOT NULL, id TEXT NOT NULL, begun_at INTEGER NOT NULL, PRIMARY KEY (repo_id, id)
       ) STRICT, WITHOUT ROWID`,
    ],
  },
  {
    name: 'maintenance',
    statements: [
      'ALTER TABLE repos ADD COLUMN last_position INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE repos ADD COLUMN maintain_at INTEGER',
      `UPDATE repos SET
         last_position = (SELECT coalesce(max(position), 0) FROM packs WHERE packs.repo_id = repos.id),
         maintain_at = CASE WHEN erased = 0 THEN pushed_at END`,
      'CREATE INDEX repos_by_maintenance ON repos (maintain_at) WHERE maintain_at IS NOT NULL',
      'ALTER TABLE packs ADD COLUMN after_position INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE packs ADD COLUMN at INTEGER NOT NULL DEFAULT 0',
      'UPDATE packs SET at = (SELECT coalesce(pushed_at, 0) FROM repos WHERE repos.id = packs.repo_id)',
      // Null: in the manifest. Other packs keep their rows, since their files in rows depend on them.
      'ALTER TABLE packs ADD COLUMN retired_at INTEGER',
      'CREATE UNIQUE INDEX packs_in_order ON packs (repo_id, position) WHERE retired_at IS NULL',
      'CREATE INDEX packs_retired ON packs (repo_id, retired_at, position, id) WHERE retired_at IS NOT NULL',
      `CREATE TABLE retired_tips (
         repo_id TEXT NOT NULL REFERENCES repos (id), name TEXT NOT NULL, oid TEXT NOT NULL, at INTEGER NOT NULL,
         PRIMARY KEY (repo_id, name, oid)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX retired_tips_by_time ON retired_tips (repo_id, at DESC, name, oid)',
    ],
  },
  {
    name: 'versions of replacements',
    statements: [
      // Versions of replacements: for a retired pack its own, for a repository the last that left something out.
      'ALTER TABLE packs ADD COLUMN retired_version INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE repos ADD COLUMN left_out_version INTEGER NOT NULL DEFAULT 0',
    ],
  },
  {
    name: 'borrowed packs',
    statements: ["ALTER TABLE packs ADD COLUMN borrowed TEXT NOT NULL DEFAULT 'no'"],
  },
  {
    name: 'events',
    statements: [
      // `keep_until` is null for waiting events. Both tables survive the erasure of their repository.
      `CREATE TABLE events (
         sequence INTEGER PRIMARY KEY AUTOINCREMENT, repo_id TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
         held INTEGER NOT NULL, size INTEGER NOT NULL, body TEXT NOT NULL, keep_until INTEGER
       ) STRICT`,
      'CREATE UNIQUE INDEX events_by_id ON events (repo_id, id)',
      'CREATE INDEX events_waiting ON events (repo_id, sequence, size) WHERE keep_until IS NULL',
      'CREATE INDEX events_kept ON events (keep_until) WHERE keep_until IS NOT NULL',
      // One row per repository with waiting events: when the first is due, and how often it has failed.
      `CREATE TABLE event_queues (
         repo_id TEXT PRIMARY KEY, account TEXT NOT NULL, due INTEGER NOT NULL, attempts INTEGER NOT NULL
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX event_queues_due ON event_queues (due)',
    ],
  },
  {
    name: 'refs on demand',
    statements: [
      'CREATE INDEX refs_by_value ON refs (repo_id, oid)',
      // Values that a version replaced, in the form of `formatTarget`.
      `CREATE TABLE ref_history (
         repo_id TEXT NOT NULL REFERENCES repos (id), version INTEGER NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
         PRIMARY KEY (repo_id, version, name)
       ) STRICT, WITHOUT ROWID`,
      // The oldest version with readable refs, and the number of rows in `ref_history`.
      'ALTER TABLE repos ADD COLUMN oldest_refs INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE repos ADD COLUMN ref_changes INTEGER NOT NULL DEFAULT 0',
      'UPDATE repos SET oldest_refs = version',
    ],
  },
  {
    name: 'prepared packs',
    statements: [
      // Uploads that answer clones again (GIT-187): without a key once dropped, without objects while it is being made.
      'ALTER TABLE uploads ADD COLUMN prepared_key TEXT',
      'ALTER TABLE uploads ADD COLUMN prepared_size INTEGER',
      'ALTER TABLE uploads ADD COLUMN prepared_objects INTEGER',
      'ALTER TABLE uploads ADD COLUMN prepared_used_at INTEGER',
    ],
  },
  {
    name: 'few pages per push',
    statements: [
      // A push writes to the end of its repository's rows. `pushes` had three trees, two of them in random order.
      `CREATE TABLE outcomes (
         repo_id TEXT NOT NULL REFERENCES repos (id), at INTEGER NOT NULL, push_id TEXT NOT NULL, piece INTEGER NOT NULL,
         outcome BLOB NOT NULL,
         PRIMARY KEY (repo_id, at, push_id, piece)
       ) STRICT, WITHOUT ROWID`,
      'INSERT INTO outcomes SELECT repo_id, at, push_id, piece, outcome FROM pushes',
      'DROP TABLE pushes',
      // All files of one pack. Older packs, and those too large for one row, are in `pack_files` (`files_row` is null).
      'CREATE TABLE pack_rows (id INTEGER PRIMARY KEY, idx BLOB NOT NULL, graph BLOB NOT NULL, pack BLOB NOT NULL) STRICT',
      'ALTER TABLE packs ADD COLUMN files_row INTEGER',
      // Maintenance reads all packs of its repository anyway.
      'DROP INDEX packs_retired',
    ],
  },
  {
    name: 'updates',
    statements: [
      // The number of the last update from the catalog, and the number of refs.
      'ALTER TABLE repos ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE repos ADD COLUMN ref_count INTEGER NOT NULL DEFAULT 0',
      'UPDATE repos SET ref_count = (SELECT count(*) FROM refs WHERE refs.repo_id = repos.id)',
    ],
  },
  {
    name: 'uploads and keys of commits',
    statements: [
      `CREATE TABLE uploaded_blobs (
         repo_id TEXT NOT NULL REFERENCES repos (id), oid TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (repo_id, oid)
       ) STRICT, WITHOUT ROWID`,
      // Numbers grow, so that the oldest are found without a count.
      `CREATE TABLE keyed_results (
         repo_id TEXT NOT NULL REFERENCES repos (id), number INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL,
         result TEXT NOT NULL,
         PRIMARY KEY (repo_id, number)
       ) STRICT, WITHOUT ROWID`,
      'CREATE UNIQUE INDEX keyed_results_by_key ON keyed_results (repo_id, key)',
    ],
  },
  webhookMigration,
];
