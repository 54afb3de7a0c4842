import type { Namespace, RepoListItem, TagRecord, TokenInfo } from '@packhouse/hosting';
import type { Ground } from '../seed/plant.ts';
import { readRepoKey } from '../seed/repo-key.ts';
import { allTags } from './all-tags.ts';

/**
 * What a mock holds when its seeds are there, for assertions. Repos are named as in seeds: `name` or `namespace/name`.
 *
 * @throws {SeedError} if the first seed could not be put there.
 */
export interface Inspection {
  namespaces(): Promise<readonly Namespace[]>;
  /** Repos of a namespace as lists show them, newest first. Default: `default`. */
  repos(namespace?: string): Promise<readonly RepoListItem[]>;
  /** Ids by the full names of refs. @throws {Error} if there is no such repo; so do the following. */
  refs(repo: string): Promise<Readonly<Record<string, string>>>;
  /** Tokens of a repo in every state, newest first. Their secrets are kept nowhere. */
  tokens(repo: string): Promise<readonly TokenInfo[]>;
  /** The text of a file on the default branch. */
  file(repo: string, path: string): Promise<string>;
  /** Resources of the account and its zones that hold tags. */
  tags(): Promise<readonly TagRecord[]>;
}

/** Reads past the API, so that nothing of it is counted or goes wrong. */
export function inspect(ground: () => Promise<Ground>): Inspection {
  return {
    async namespaces() {
      const { hosting, account } = await ground();
      return everyPage(hosting.settings.namespaces_page_max, (page) => hosting.namespaces.list(account, page));
    },
    async repos(namespace = 'default') {
      const { hosting, account } = await ground();
      return everyPage(hosting.settings.repos_page_max, (page) => hosting.repos.list(account, namespace, page));
    },
    async refs(key) {
      const { hosting, storage, account } = await ground();
      const { namespace, name } = readRepoKey(key);
      const { id, jurisdiction } = await hosting.repos.find(account, namespace, name);
      const snapshot = await storage.repo(account, id, jurisdiction).state.snapshot();
      return Object.fromEntries((snapshot?.refs ?? []).map(({ name: ref, oid }) => [ref, oid]));
    },
    async tokens(key) {
      const { hosting, account } = await ground();
      const { namespace, name } = readRepoKey(key);
      return everyPage(hosting.settings.tokens_page_max, ({ limit, page }) =>
        hosting.tokens.list(account, namespace, name, { page, per_page: limit, state: 'all' }),
      );
    },
    async file(key, path) {
      const { hosting, account } = await ground();
      const { namespace, name: repo } = readRepoKey(key);
      const content = await hosting.content.file({ account, namespace, repo }, { path });
      return await new Response((await content.body(() => {})) as BodyInit).text();
    },
    async tags() {
      const { tags, account } = await ground();
      return await allTags(tags(account));
    },
  };
}

async function everyPage<Row>(
  limit: number,
  read: (part: { readonly limit: number; readonly page: number }) => Promise<{ readonly rows: readonly Row[] }>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { rows } = await read({ limit, page });
    all.push(...rows);
    if (rows.length < limit) return all;
  }
}
