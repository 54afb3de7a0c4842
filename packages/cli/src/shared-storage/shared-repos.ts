import type { PostgresDriver } from '@packhouse/base';
import {
  listedRepos,
  mergedRepos,
  storedRepos,
  type KnownRepo,
  type ListedRow,
  type StateRow,
} from '../data-folder/inventory.ts';

/** Returns every repository of a database, as `knownRepos` does for a data folder. */
export async function sharedRepos(postgres: PostgresDriver): Promise<readonly KnownRepo[]> {
  const [listed, states] = await Promise.all([
    postgres.rows<ListedRow>(listedRepos('packhouse.')),
    postgres.rows<StateRow>(storedRepos('packhouse.', 'NOT erased')),
  ]);
  return mergedRepos(listed, states);
}
