import { readAllRefs } from '@packhouse/git';
import type { Namespace, RepoListItem, TokenInfo } from '@packhouse/hosting';
import type { TagRecord } from '@packhouse/tagging';
import { named } from '../values/named.ts';
import type { OpenedService } from '../service/open-service.ts';
import { readRepoKey } from '../seed/repo-key.ts';
import { allTags } from './all-tags.ts';

/**
 * Reads the content of a mock for assertions, after its seeds have been put in. Repos are named as in seeds: `name` or
 * `namespace/name`.
 *
 * @throws {SeedError} if the first seed was refused.
 */
export interface Inspection {
  namespaces(): Promise<readonly Namespace[]>;
  /**
   * Returns the repos of a namespace as lists show them, newest first. Default: `default`.
   *
   * @throws {Error} if there is no such namespace.
   */
  repos(namespace?: string): Promise<readonly RepoListItem[]>;
  /**
   * Returns object ids by full ref name.
   *
   * @throws {Error} if there is no such repo, as the methods below do.
   */
  refs(repo: string): Promise<Readonly<Record<string, string>>>;
  /** Returns the tokens of a repo in every state, newest first. Their secrets are not stored. */
  tokens(repo: string): Promise<readonly TokenInfo[]>;
  /**
   * Returns the text of a file on the default branch.
   *
   * @throws {Error} also if there is no such file.
   */
  file(repo: string, path: string): Promise<string>;
  /** Returns the tagged resources of the account and its zones, with the members of the API. */
  tags(): Promise<readonly TagRecord[]>;
  /**
   * Returns the tags of a repo; `{}` if it has none.
   *
   * @throws {Error} if there is no such repo.
   */
  tagsOf(repo: string): Promise<Readonly<Record<string, string>>>;
}

/** Creates an inspection that bypasses the API, so that it counts towards no rate and no fault applies. */
export function inspect(account: string, held: () => Promise<OpenedService>): Inspection {
  return {
    async namespaces() {
      const { hosting } = await held();
      return everyPage(hosting.settings.namespaces_page_max, (page) => hosting.namespaces.list(account, page));
    },
    async repos(namespace = 'default') {
      const { hosting } = await held();
      const limit = hosting.settings.repos_page_max;
      const rows = await everyPage(limit, (page) => hosting.repos.list(account, namespace, page));
      if (rows.length === 0 && namespace !== 'default')
        await named(namespace, hosting.namespaces.get(account, namespace));
      return rows;
    },
    async refs(key) {
      const { hosting, ground } = await held();
      const { namespace, name } = readRepoKey(key);
      const { id, jurisdiction } = await named(key, hosting.repos.find(account, namespace, name));
      const { state } = ground.storage.repo(account, id, jurisdiction);
      const snapshot = await state.snapshot();
      const refs = snapshot === undefined ? [] : await readAllRefs(state, snapshot);
      return Object.fromEntries(refs.map(({ name: ref, oid }) => [ref, oid]));
    },
    async tokens(key) {
      const { hosting } = await held();
      const { namespace, name } = readRepoKey(key);
      const read = ({ limit, page }: Part): ReturnType<typeof hosting.tokens.list> =>
        hosting.tokens.list(account, namespace, name, { page, per_page: limit, state: 'all' });
      return named(key, everyPage(hosting.settings.tokens_page_max, read));
    },
    async file(key, path) {
      const { hosting } = await held();
      const { namespace, name: repo } = readRepoKey(key);
      await named(key, hosting.repos.find(account, namespace, repo));
      const content = await named(path, hosting.content.file({ account, namespace, repo }, { path }));
      return await new Response((await content.body(() => {})) as BodyInit).text();
    },
    async tags() {
      const { ground } = await held();
      return await allTags(ground.tags(account));
    },
    async tagsOf(key) {
      const { hosting, ground } = await held();
      const { namespace, name } = readRepoKey(key);
      const { id } = await named(key, hosting.repos.find(account, namespace, name));
      const record = await ground.tags(account).record({ type: 'repository', zone: null, parent: null, id });
      return record?.tags ?? {};
    },
  };
}

type Part = { readonly limit: number; readonly page: number };

async function everyPage<Row>(
  limit: number,
  read: (part: Part) => Promise<{ readonly rows: readonly Row[] }>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let page = 1; ; page++) {
    const { rows } = await read({ limit, page });
    all.push(...rows);
    if (rows.length < limit) return all;
  }
}
