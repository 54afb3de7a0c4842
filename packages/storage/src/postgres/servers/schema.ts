import type { Migration } from '@packhouse/base';

/** What several servers share: leases of background work, and counts of requests. */
export const serverMigrations: readonly Migration[] = [
  {
    name: 'leases and rates',
    statements: [
      'CREATE SEQUENCE packhouse.lease_fences',
      `CREATE TABLE packhouse.leases (
         key text COLLATE "C" PRIMARY KEY,
         fence bigint NOT NULL,
         expires timestamptz NOT NULL
       )`,
      // A crash may empty it: then windows begin anew. In return, a request writes no log.
      `CREATE UNLOGGED TABLE packhouse.rates (
         key bytea PRIMARY KEY,
         requests int NOT NULL,
         ends timestamptz NOT NULL
       )`,
      'CREATE INDEX rates_by_end ON packhouse.rates (ends)',
    ],
  },
];
