import type { Migration } from '@packhouse/base';

/** Tables of webhooks, among those of repository states. All of them survive the erasure of a repository. */
export const webhookMigration: Migration = {
  name: 'webhooks',
  statements: [
    // `owner` is the id of a repository, or the account and the namespace (`namespaceOwner`).
    `CREATE TABLE webhooks (
       owner TEXT NOT NULL, id TEXT NOT NULL, active INTEGER NOT NULL, stopped TEXT, record TEXT NOT NULL, delivery TEXT,
       PRIMARY KEY (owner, id)
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX webhooks_by_id ON webhooks (id)',
    // Sequences are never used twice, so that a stored position never skips a later event.
    `CREATE TABLE webhook_events (
       sequence INTEGER PRIMARY KEY AUTOINCREMENT, repo_id TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
       size INTEGER NOT NULL, body TEXT NOT NULL
     ) STRICT`,
    'CREATE UNIQUE INDEX webhook_events_by_id ON webhook_events (repo_id, id)',
    'CREATE INDEX webhook_events_in_order ON webhook_events (repo_id, sequence, size)',
    // One row per repository with waiting events.
    `CREATE TABLE webhook_queues (
       repo_id TEXT PRIMARY KEY, account TEXT NOT NULL, namespace TEXT NOT NULL, due INTEGER NOT NULL
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX webhook_queues_due ON webhook_queues (due)',
    // Progress of webhooks in queues; none is the beginning.
    `CREATE TABLE webhook_places (
       repo_id TEXT NOT NULL, webhook_id TEXT NOT NULL, position INTEGER NOT NULL, attempts INTEGER NOT NULL,
       due INTEGER NOT NULL, failing_since INTEGER,
       PRIMARY KEY (repo_id, webhook_id)
     ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX webhook_places_by_webhook ON webhook_places (webhook_id)',
  ],
};
