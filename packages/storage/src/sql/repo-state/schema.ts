import type { Migration } from '@packhouse/base';

/**
 * Tables of the repository states, the same for one database with all repositories and for a Durable Object that
 * holds one. Text compares bytewise (`BINARY`), so the key of `refs` is Git's order.
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
      // With a rowid: rows of megabytes would make a tree by key slow to walk.
      `CREATE TABLE pack_files (
         repo_id TEXT NOT NULL, pack_id TEXT NOT NULL, file TEXT NOT NULL, bytes BLOB NOT NULL,
         PRIMARY KEY (repo_id, pack_id, file), FOREIGN KEY (repo_id, pack_id) REFERENCES packs (repo_id, id)
       ) STRICT`,
      `CREATE TABLE shallow (
         repo_id TEXT NOT NULL REFERENCES repos (id), oid TEXT NOT NULL, PRIMARY KEY (repo_id, oid)
       ) STRICT, WITHOUT ROWID`,
      // In pieces: the outcome of many updates of long names can be larger than a row may be.
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
      // Holds all that a state is decided by, so that counting and paging read no rows but those of the page.
      'CREATE INDEX tokens_by_time ON tokens (repo_id, created_at DESC, id, expires_at, revoked_at)',
    ],
  },
  {
    name: 'uploads',
    statements: [
      // Packs that a bucket may hold bytes of and no manifest names. Outlives the erasure of its repository.
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
      // Null: in the manifest. Those that are not keep their rows here, since files in rows belong to them.
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
      // The version that a replacement made: of a retired pack its own, of a repository the last that left something out.
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
      // Null in `keep_until`: it waits to be delivered. Both outlive the erasure of their repository.
      `CREATE TABLE events (
         sequence INTEGER PRIMARY KEY AUTOINCREMENT, repo_id TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
         held INTEGER NOT NULL, size INTEGER NOT NULL, body TEXT NOT NULL, keep_until INTEGER
       ) STRICT`,
      'CREATE UNIQUE INDEX events_by_id ON events (repo_id, id)',
      'CREATE INDEX events_waiting ON events (repo_id, sequence, size) WHERE keep_until IS NULL',
      'CREATE INDEX events_kept ON events (keep_until) WHERE keep_until IS NOT NULL',
      // One for each repository of which events wait: when the first is due, and how often it has failed.
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
      // The values that a version replaced, as `formatTarget` writes them.
      `CREATE TABLE ref_history (
         repo_id TEXT NOT NULL REFERENCES repos (id), version INTEGER NOT NULL, name TEXT NOT NULL, target TEXT NOT NULL,
         PRIMARY KEY (repo_id, version, name)
       ) STRICT, WITHOUT ROWID`,
      // The oldest version whose refs can be read, and the rows of `ref_history`.
      'ALTER TABLE repos ADD COLUMN oldest_refs INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE repos ADD COLUMN ref_changes INTEGER NOT NULL DEFAULT 0',
      'UPDATE repos SET oldest_refs = version',
    ],
  },
];
