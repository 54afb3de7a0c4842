import type { ApiTokenStores, Catalogs, HostedRepoState } from '@packhouse/hosting';
import { memoryApiTokens } from '../memory/api-tokens.ts';
import { memoryCatalogs } from '../memory/catalog.ts';
import { catalogMigrations } from '../sql/catalog/schema.ts';
import { sqlApiTokens } from '../sql/catalog/api-tokens.ts';
import { sqlCatalog } from '../sql/catalog/catalog.ts';
import { memoryRepoState } from '../memory/repo-state.ts';
import { repoStateMigrations } from '../sql/repo-state/schema.ts';
import { sqlRepoState } from '../sql/repo-state/repo-state.ts';
import { type SqlDriver, migrate } from '@packhouse/base';

/** Storage ports of a service, except those for pack bytes. */
export interface PortStores {
  readonly catalog: Catalogs;
  readonly apiTokens: ApiTokenStores;
  readonly state: (account: string, id: string) => HostedRepoState;
}

/** Makes new stores in memory. */
export function memoryStores(): PortStores {
  const states = new Map<string, HostedRepoState>();
  const apiTokens = memoryApiTokens();
  return {
    catalog: memoryCatalogs((account, name, at) => apiTokens(account).namespaceDeleted(name, at)),
    apiTokens,
    state(account, id) {
      const key = `${account}/${id}`;
      const found = states.get(key) ?? memoryRepoState();
      states.set(key, found);
      return found;
    },
  };
}

/** Makes all stores in one database, with its tables. */
export function sqlStores(driver: SqlDriver): PortStores {
  migrate(driver, 'catalog', catalogMigrations);
  migrate(driver, 'repo-state', repoStateMigrations);
  return {
    catalog: (account) => sqlCatalog(driver, account),
    apiTokens: sqlApiTokens(driver),
    state: (_, id) => sqlRepoState(driver, id),
  };
}
