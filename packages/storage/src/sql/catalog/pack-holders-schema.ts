import type { Migration } from '@packhouse/base';

/** Tables of the holders of packs of one account. */
export const packHolderMigrations: readonly Migration[] = [
  {
    name: 'pack holders',
    statements: [
      `CREATE TABLE pack_holders (
         pack_id TEXT NOT NULL, repo_id TEXT NOT NULL, held_at INTEGER NOT NULL, PRIMARY KEY (pack_id, repo_id)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX pack_holders_by_repo ON pack_holders (repo_id, held_at)',
    ],
  },
];
