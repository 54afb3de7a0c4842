import type { Namespace, RepoListItem, TagRecord, TokenInfo } from '@packhouse/hosting';
import type { Ground } from '../seed/plant.ts';
import { readRepoKey } from '../seed/repo-key.ts';

/** What a mock holds, for assertions. Repos are named as in seeds: `name` or `namespace/name`. */
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
export function inspect(ground: () => Ground): Inspection {
  const find = async (key: string): Promise<{ namespace: string; name: string; id: string; jurisdiction: string }> => {
    const { namespace, name } = readRepoKey(key);
    const { id, jurisdiction } = await ground().hosting.repos.find(ground().account, namespace, name);
    return { namespace, name, id, jurisdiction };
  };
  return {
    namespaces: () =>
      everyPage(async (page) => {
        const { hosting, account } = ground();
        const limit = hosting.settings.namespaces_page_max;
        const { rows } = await hosting.namespaces.list(account, { limit, page });
        return { rows, more: rows.length === limit };
      }),
    repos: (namespace = 'default') =>
      everyPage(async (page) => {
        const { hosting, account } = ground();
        const limit = hosting.settings.repos_page_max;
        const { rows } = await hosting.repos.list(account, namespace, { limit, page });
        return { rows, more: rows.length === limit };
      }),
    async refs(key) {
      const { id, jurisdiction } = await find(key);
      const { storage, account } = ground();
      const snapshot = await storage.repo(account, id, jurisdiction).state.snapshot();
      return Object.fromEntries((snapshot?.refs ?? []).map(({ name, oid }) => [name, oid]));
    },
    async tokens(key) {
      const { namespace, name } = await find(key);
      return await everyPage(async (page) => {
        const { hosting, account } = ground();
        const limit = hosting.settings.tokens_page_max;
        const { rows } = await hosting.tokens.list(account, namespace, name, { page, per_page: limit, state: 'all' });
        return { rows, more: rows.length === limit };
      });
    },
    async file(key, path) {
      const { namespace, name: repo } = readRepoKey(key);
      const { hosting, account } = ground();
      const content = await hosting.content.file({ account, namespace, repo }, { path });
      return await new Response((await content.body(() => {})) as BodyInit).text();
    },
    async tags() {
      const { tags, account } = ground();
      const everything = { types: [], ids: [], name: '', filters: [], caseInsensitive: false };
      return (await tags(account).resources(everything, { limit: Number.MAX_SAFE_INTEGER })).items;
    },
  };
}

async function everyPage<Row>(
  read: (page: number) => Promise<{ readonly rows: readonly Row[]; readonly more: boolean }>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { rows, more } = await read(page);
    all.push(...rows);
    if (!more) return all;
  }
}
