import { type Catalog, foldName } from '@packhouse/hosting';
import type { PostgresDriver } from '@packhouse/base';
import { repoOf, type RepoRow, sortColumns } from '../../catalog/repo-row.ts';
import { joinNamespace, repoColumns, selectRepos } from './repo-select.ts';
import { sliceOf } from './slice.ts';
import { searchText } from './texts.ts';

type RepoReads = Pick<Catalog, 'repo' | 'repoById' | 'repos' | 'countRepos' | 'unsettled' | 'unfinished' | 'tokenRepo'>;

/** Reads repos of one account in PostgreSQL, each with one statement. */
export function postgresRepoReads(driver: PostgresDriver, account: string): RepoReads {
  const table = 'packhouse.catalog_repos';
  return {
    async repo(namespace, name) {
      const names = [namespace, name].map((one) => foldName(searchText(one)));
      const [found] = await selectRepos(driver, 'r.namespace = $2 AND r.folded = $3', [account, ...names]);
      return found;
    },
    async repoById(id) {
      const [found] = await selectRepos(driver, 'r.id = $2', [account, searchText(id)]);
      return found;
    },
    async tokenRepo(token) {
      const repo = 'r.id = (SELECT repo_id FROM packhouse.catalog_tokens WHERE account = $1 AND id = $2)';
      const [found] = await selectRepos(driver, repo, [account, searchText(token)]);
      return found;
    },
    async repos(namespace, { search, sort, direction }, slice) {
      const folded = foldName(searchText(namespace));
      const common =
        search === ''
          ? { where: 'r.account = $1 AND r.namespace = $2', parameters: [account, folded] }
          : {
              where: 'r.account = $1 AND r.namespace = $2 AND strpos(r.folded, $3) > 0',
              parameters: [account, folded, foldName(searchText(search))],
            };
      const list = { table, ...common, column: sortColumns[sort], direction, tie: 'r.id' };
      const { rows, order, parameters } = sliceOf(list, slice);
      const found = await driver.rows<RepoRow>(
        `SELECT ${repoColumns} FROM ${rows} ${joinNamespace} ${order}`,
        parameters,
      );
      return found.map(repoOf);
    },
    async countRepos(namespace, search) {
      const folded = foldName(searchText(namespace));
      const [row] = await (search === ''
        ? driver.rows<{ total: number }>(
            'SELECT repo_count AS total FROM packhouse.catalog_namespaces WHERE account = $1 AND folded = $2',
            [account, folded],
          )
        : driver.rows<{ total: number }>(
            `SELECT count(*) AS total FROM ${table} WHERE account = $1 AND namespace = $2 AND strpos(folded, $3) > 0`,
            [account, folded, foldName(searchText(search))],
          ));
      return row?.total ?? 0;
    },
    unsettled: () => selectRepos(driver, 'r.unsettled IS NOT NULL', [account]),
    unfinished: (before) => selectRepos(driver, "r.status <> 'ready' AND r.updated_at < $2", [account, before]),
  };
}
