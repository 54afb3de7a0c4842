import type { PostgresDriver } from '@packhouse/base';
import type { Finding } from '../data-folder/examine.ts';
import {
  listedRepos,
  mergedRepos,
  storedRepos,
  type KnownRepo,
  type ListedRow,
  type StateRow,
} from '../data-folder/inventory.ts';

/**
 * Returns every repository of a database as of one moment, as `knownRepos` does for a data folder. Servers may create and
 * delete repositories meanwhile.
 */
export function sharedRepos(postgres: PostgresDriver): Promise<readonly KnownRepo[]> {
  return postgres.transaction(async (session) => {
    const [listed, states] = await Promise.all([
      session.rows<ListedRow>(listedRepos('packhouse.')),
      session.rows<StateRow>(storedRepos('packhouse.', 'NOT erased')),
    ]);
    return mergedRepos(listed, states);
  }, 'read');
}

/**
 * Drops findings about repositories that were deleted during the examination: their packs and state are gone.
 *
 * @param known the repositories that were examined.
 * @param now those that are there after it.
 */
export function lastingFindings(
  findings: readonly Finding[],
  known: readonly KnownRepo[],
  now: readonly KnownRepo[],
): readonly Finding[] {
  const there = new Set(now.map(({ id }) => id));
  const deleted = new Set(
    known.filter(({ id }) => !there.has(id)).map((one) => nameOf(one.account, one.name ?? one.id)),
  );
  return findings.filter(({ account, repo }) => repo === null || !deleted.has(nameOf(account, repo)));
}

function nameOf(account: string | null, repo: string): string {
  return `${account} ${repo}`;
}
