import type { Migration } from '@packhouse/base';

/** Tables that servers share beside the data: leases of background work, counts of requests, and an identity. */
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
      // A crash may empty it: then windows begin again. In return, a request writes no log.
      `CREATE UNLOGGED TABLE packhouse.rates (
         key bytea PRIMARY KEY,
         requests int NOT NULL,
         ends timestamptz NOT NULL
       )`,
      'CREATE INDEX rates_by_end ON packhouse.rates (ends)',
    ],
  },
  {
    name: 'identity',
    statements: [
      // One row. The place of the packs has a mark with this id.
      'CREATE TABLE packhouse.identity (id text PRIMARY KEY, is_marked boolean NOT NULL DEFAULT false)',
      `INSERT INTO packhouse.identity (id) VALUES (replace(gen_random_uuid()::text, '-', ''))`,
    ],
  },
];
