import type { Migration } from '@packhouse/base';

/** Tables of webhooks, among those of repository states. All of them survive the erasure of a repository. */
export const postgresWebhookMigration: Migration = {
  name: 'webhooks',
  statements: [
    // `owner` is the id of a repository, or the account and the namespace (`namespaceOwner`).
    `CREATE TABLE packhouse.webhooks (
       owner text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, active boolean NOT NULL, stopped text,
       record text NOT NULL, delivery text,
       PRIMARY KEY (owner, id)
     )`,
    'CREATE INDEX webhooks_by_id ON packhouse.webhooks (id)',
    // Sequences are never used twice, so that a stored position never skips a later event.
    `CREATE TABLE packhouse.webhook_events (
       repo_id text COLLATE "C" NOT NULL, sequence int8 GENERATED ALWAYS AS IDENTITY, id text COLLATE "C" NOT NULL,
       at int8 NOT NULL, size int8 NOT NULL, body text NOT NULL,
       PRIMARY KEY (repo_id, sequence)
     )`,
    'CREATE UNIQUE INDEX webhook_events_by_id ON packhouse.webhook_events (repo_id, id)',
    // One row per repository with waiting events.
    `CREATE TABLE packhouse.webhook_queues (
       repo_id text COLLATE "C" PRIMARY KEY, account text NOT NULL, namespace text NOT NULL, due int8 NOT NULL
     )`,
    'CREATE INDEX webhook_queues_due ON packhouse.webhook_queues (due)',
    // Progress of webhooks in queues; none is the beginning.
    `CREATE TABLE packhouse.webhook_places (
       repo_id text COLLATE "C" NOT NULL, webhook_id text COLLATE "C" NOT NULL, position int8 NOT NULL,
       attempts int8 NOT NULL, due int8 NOT NULL, failing_since int8,
       PRIMARY KEY (repo_id, webhook_id)
     )`,
    'CREATE INDEX webhook_places_by_webhook ON packhouse.webhook_places (webhook_id)',
  ],
};
