import type { Catalog } from '@packhouse/hosting';
import type { PostgresDriver } from '@packhouse/base';
import { postgresDeletions } from './deleted.ts';
import { postgresNamespaces } from './namespaces.ts';
import { postgresRepoReads } from './repo-reads.ts';
import { postgresRepoWrites } from './repo-writes.ts';
import { postgresStoredBytes } from './stored-bytes.ts';
import { postgresTokens } from './tokens.ts';

/**
 * Opens the catalog of an account in a database with the tables of `postgresCatalogMigrations`, without I/O. Every
 * method is one transaction or statement, so any number of servers may share the database.
 */
export function postgresCatalog(driver: PostgresDriver, account: string): Catalog {
  return {
    ...postgresNamespaces(driver, account),
    ...postgresRepoReads(driver, account),
    ...postgresRepoWrites(driver, account),
    ...postgresDeletions(driver, account),
    ...postgresTokens(driver, account),
    ...postgresStoredBytes(driver, account),
  };
}
