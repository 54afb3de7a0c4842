import type { Migration } from '@packhouse/base';

/** Bytes of a place that indexes have. An index row of PostgreSQL is smaller than a place may be. */
export const placeStart = 400;

/** Characters of a value or an id that indexes have. */
export const textStart = 64;

/**
 * Tables of the tags of all accounts in PostgreSQL. `place` is `placeOf` in UTF-8. `folded` columns are `foldCase` of the
 * others. Accounts are numbers here, since every row of every index has one. Indexes have only the start of long texts:
 * a query sorts the rows whose starts are equal.
 */
export const postgresTagMigrations: readonly Migration[] = [
  {
    name: 'tags',
    statements: [
      // `tags` is the number of tags in all records of the account; an empty record counts as one (TAG-142).
      `CREATE TABLE packhouse.tag_accounts (
         id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account text COLLATE "C" NOT NULL UNIQUE, tags bigint NOT NULL
       )`,
      // `tags` is the number of tags, `length` that of their UTF-16 code units. A name may contain U+0000.
      `CREATE TABLE packhouse.tag_records (
         record bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account bigint NOT NULL, place bytea NOT NULL,
         place_start bytea NOT NULL GENERATED ALWAYS AS (substring(place FROM 1 FOR ${placeStart})) STORED,
         id text COLLATE "C" NOT NULL, name bytea NOT NULL, folded_name bytea NOT NULL, tags bigint NOT NULL,
         length bigint NOT NULL, updated_at bigint NOT NULL
       )`,
      'CREATE UNIQUE INDEX tag_records_by_place ON packhouse.tag_records (account, sha256(place))',
      // Lists omit records with an empty map, and the indexes skip them, too (TAG-065).
      'CREATE INDEX tag_records_tagged ON packhouse.tag_records (account, place_start) WHERE tags > 0',
      `CREATE INDEX tag_records_by_id
       ON packhouse.tag_records (account, left(id, ${textStart}), place_start) WHERE tags > 0`,
      `CREATE TABLE packhouse.tag_entries (
         record bigint NOT NULL, key text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
         value_start text COLLATE "C" NOT NULL GENERATED ALWAYS AS (left(value, ${textStart})) STORED,
         folded_key text COLLATE "C" NOT NULL, folded_value text COLLATE "C" NOT NULL, account bigint NOT NULL,
         type text COLLATE "C" NOT NULL, place_start bytea NOT NULL,
         PRIMARY KEY (record, key)
       )`,
      // Indexes for keys, values, and the sorted resources of a tag, from which a list begins.
      'CREATE INDEX tag_entries_by_value ON packhouse.tag_entries (account, key, value_start, place_start)',
      'CREATE INDEX tag_entries_by_type ON packhouse.tag_entries (account, type, key, value_start)',
      'CREATE INDEX tag_entries_by_folded_key ON packhouse.tag_entries (account, folded_key, place_start)',
      `CREATE INDEX tag_entries_by_folded_value
       ON packhouse.tag_entries (account, folded_key, left(folded_value, ${textStart}), place_start)`,
      `CREATE TABLE packhouse.tag_places (
         account text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, place bytea NOT NULL, kept_at bigint NOT NULL,
         PRIMARY KEY (account, id)
       )`,
      'CREATE INDEX tag_places_by_time ON packhouse.tag_places (account, kept_at)',
    ],
  },
];
