import type { Migration } from '@packhouse/base';

/**
 * Tables of the tags of all accounts. They can share a database with others. Texts and bytes compare bytewise, that is
 * by code point. `place` is `placeOf` in UTF-8: an index has the order of lists, and a list can begin anywhere in it.
 * `folded` columns are `foldCase` of the others. Accounts are numbers here, since every row of every index has one.
 */
export const tagMigrations: readonly Migration[] = [
  {
    name: 'tags',
    statements: [
      // `tags` is the number of tags in all records of the account; an empty record counts as one (TAG-142).
      'CREATE TABLE tag_accounts (id INTEGER PRIMARY KEY, account TEXT NOT NULL UNIQUE, tags INTEGER NOT NULL) STRICT',
      // `tags` is the number of tags, `length` that of their UTF-16 code units. SQLite may reuse a record number.
      `CREATE TABLE tag_records (
         record INTEGER PRIMARY KEY, account INTEGER NOT NULL, place BLOB NOT NULL, id TEXT NOT NULL,
         name TEXT NOT NULL, folded_name TEXT NOT NULL, tags INTEGER NOT NULL, length INTEGER NOT NULL,
         updated_at INTEGER NOT NULL
       ) STRICT`,
      'CREATE UNIQUE INDEX tag_records_by_place ON tag_records (account, place)',
      // Lists omit records with an empty map, and the indexes skip them, too (TAG-065). The name is in the index, so
      // that a search by name reads only the index for rows that do not match.
      'CREATE INDEX tag_records_tagged ON tag_records (account, place, folded_name) WHERE tags > 0',
      'CREATE INDEX tag_records_by_id ON tag_records (account, id, place) WHERE tags > 0',
      `CREATE TABLE tag_entries (
         record INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, folded_key TEXT NOT NULL,
         folded_value TEXT NOT NULL, account INTEGER NOT NULL, type TEXT NOT NULL, place BLOB NOT NULL,
         PRIMARY KEY (record, key)
       ) STRICT, WITHOUT ROWID`,
      // Indexes for keys, values, and the sorted resources of a tag, from which a list begins.
      'CREATE INDEX tag_entries_by_value ON tag_entries (account, key, value, place)',
      'CREATE INDEX tag_entries_by_type ON tag_entries (account, type, key, value)',
      'CREATE INDEX tag_entries_by_folded_key ON tag_entries (account, folded_key, place)',
      'CREATE INDEX tag_entries_by_folded_value ON tag_entries (account, folded_key, folded_value, place)',
      `CREATE TABLE tag_places (
         account INTEGER NOT NULL, id TEXT NOT NULL, place BLOB NOT NULL, kept_at INTEGER NOT NULL,
         PRIMARY KEY (account, id)
       ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX tag_places_by_time ON tag_places (account, kept_at)',
    ],
  },
  {
    name: 'empty records',
    statements: [
      // A record without tags counts as one (TAG-142).
      `UPDATE tag_accounts SET tags =
         (SELECT COALESCE(SUM(MAX(1, tags)), 0) FROM tag_records WHERE tag_records.account = tag_accounts.id)`,
    ],
  },
];
