import type { Migration } from '@packhouse/base';
import { postgresWebhookMigration } from '../webhooks/schema.ts';

/**
 * Tables of the repository states of all servers. They have no foreign keys: a change locks the row of its repository
 * (`lockRepo`), so nothing else could break them.
 */
export const postgresRepoStateMigrations: readonly Migration[] = [
  {
    name: 'repository state',
    statements: [
      // An erased repository keeps its row for a day, so that a late `begin` does not bring it back. The free part of
      // each page lets a push update the row without touching the indexes.
      `CREATE TABLE packhouse.repos (
         id text COLLATE "C" PRIMARY KEY, account text NOT NULL, namespace text NOT NULL, name text NOT NULL,
         default_branch text NOT NULL, read_only boolean NOT NULL, status text NOT NULL, erased boolean NOT NULL,
         version int8 NOT NULL, revision int8 NOT NULL DEFAULT 0, pushed_at int8, maintain_at int8,
         left_out_version int8 NOT NULL DEFAULT 0, oldest_refs int8 NOT NULL DEFAULT 0,
         ref_changes int8 NOT NULL DEFAULT 0, ref_count int8 NOT NULL DEFAULT 0, last_position int8 NOT NULL DEFAULT 0
       ) WITH (fillfactor = 70)`,
      'CREATE INDEX repos_by_maintenance ON packhouse.repos (maintain_at) WHERE maintain_at IS NOT NULL',
      // Targets have the form of formatTarget.
      `CREATE TABLE packhouse.refs (
         repo_id text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, oid text COLLATE "C" NOT NULL,
         target text COLLATE "C" NOT NULL,
         PRIMARY KEY (repo_id, name)
       )`,
      'CREATE INDEX refs_by_value ON packhouse.refs (repo_id, oid)',
      `CREATE TABLE packhouse.ref_history (
         repo_id text COLLATE "C" NOT NULL, version int8 NOT NULL, name text COLLATE "C" NOT NULL,
         target text COLLATE "C" NOT NULL,
         PRIMARY KEY (repo_id, version, name)
       )`,
      `CREATE TABLE packhouse.packs (
         repo_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, position int8 NOT NULL, place text NOT NULL,
         objects int8 NOT NULL, pack_size int8 NOT NULL, idx_size int8 NOT NULL, graph_size int8 NOT NULL,
         exact boolean NOT NULL, after_position int8 NOT NULL, at int8 NOT NULL, borrowed text NOT NULL,
         retired_at int8, retired_version int8 NOT NULL DEFAULT 0,
         PRIMARY KEY (repo_id, id)
       )`,
      'CREATE UNIQUE INDEX packs_in_order ON packhouse.packs (repo_id, position) WHERE retired_at IS NULL',
      // Packs are compressed already.
      `CREATE TABLE packhouse.pack_files (
         repo_id text COLLATE "C" NOT NULL, pack_id text COLLATE "C" NOT NULL,
         idx bytea NOT NULL, graph bytea NOT NULL, pack bytea NOT NULL,
         PRIMARY KEY (repo_id, pack_id)
       )`,
      `ALTER TABLE packhouse.pack_files ALTER idx SET STORAGE EXTERNAL, ALTER graph SET STORAGE EXTERNAL,
         ALTER pack SET STORAGE EXTERNAL`,
      `CREATE TABLE packhouse.shallow (
         repo_id text COLLATE "C" NOT NULL, oid text COLLATE "C" NOT NULL, PRIMARY KEY (repo_id, oid)
       )`,
      `CREATE TABLE packhouse.outcomes (
         repo_id text COLLATE "C" NOT NULL, at int8 NOT NULL, push_id text COLLATE "C" NOT NULL, outcome text NOT NULL,
         PRIMARY KEY (repo_id, at, push_id)
       )`,
      `CREATE TABLE packhouse.keyed_results (
         repo_id text COLLATE "C" NOT NULL, number int8 NOT NULL, key text COLLATE "C" NOT NULL, at int8 NOT NULL,
         result text NOT NULL,
         PRIMARY KEY (repo_id, key)
       )`,
      'CREATE INDEX keyed_results_by_number ON packhouse.keyed_results (repo_id, number)',
      `CREATE TABLE packhouse.retired_tips (
         repo_id text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, oid text COLLATE "C" NOT NULL,
         at int8 NOT NULL,
         PRIMARY KEY (repo_id, name, oid)
       )`,
      'CREATE INDEX retired_tips_by_time ON packhouse.retired_tips (repo_id, at DESC, name, oid)',
      `CREATE TABLE packhouse.uploaded_blobs (
         repo_id text COLLATE "C" NOT NULL, oid text COLLATE "C" NOT NULL, at int8 NOT NULL, PRIMARY KEY (repo_id, oid)
       )`,
      `CREATE TABLE packhouse.tokens (
         repo_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, secret_hash text COLLATE "C" NOT NULL,
         scope text NOT NULL, created_at int8 NOT NULL, expires_at int8 NOT NULL, revoked_at int8,
         PRIMARY KEY (repo_id, id)
       )`,
      'CREATE UNIQUE INDEX tokens_by_hash ON packhouse.tokens (repo_id, secret_hash)',
      'CREATE INDEX tokens_by_time ON packhouse.tokens (repo_id, created_at DESC, id)',
      // Packs outside the manifest that may have bytes in a bucket. They survive the erasure of their repository. Those
      // that answer clones again (GIT-187) have a key until they are dropped, and objects once they are made.
      `CREATE TABLE packhouse.uploads (
         repo_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, begun_at int8 NOT NULL,
         prepared_key text COLLATE "C", prepared_size int8, prepared_objects int8, prepared_used_at int8,
         PRIMARY KEY (repo_id, id)
       )`,
      // `keep_until` is null for waiting events. Both tables survive the erasure of their repository.
      `CREATE TABLE packhouse.events (
         repo_id text COLLATE "C" NOT NULL, sequence int8 NOT NULL, id text COLLATE "C" NOT NULL, at int8 NOT NULL,
         held boolean NOT NULL, size int8 NOT NULL, body text NOT NULL, keep_until int8,
         PRIMARY KEY (repo_id, sequence)
       )`,
      'CREATE UNIQUE INDEX events_by_id ON packhouse.events (repo_id, id)',
      `CREATE INDEX events_waiting ON packhouse.events (repo_id, sequence) INCLUDE (size) WHERE keep_until IS NULL`,
      'CREATE INDEX events_kept ON packhouse.events (keep_until) WHERE keep_until IS NOT NULL',
      // One row per repository with waiting events: when the first is due, and how often it has failed.
      `CREATE TABLE packhouse.event_queues (
         repo_id text COLLATE "C" PRIMARY KEY, account text NOT NULL, due int8 NOT NULL, attempts int8 NOT NULL
       )`,
      'CREATE INDEX event_queues_due ON packhouse.event_queues (due)',
    ],
  },
  postgresWebhookMigration,
];
