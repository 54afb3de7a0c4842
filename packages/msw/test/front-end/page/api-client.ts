import { Failure, noConnection, readFailure } from './failure.ts';

export type Tags = Readonly<Record<string, string>>;

/** The tags of a resource, with the etag that shows whether they have changed. */
export interface Tagged {
  readonly tags: Tags;
  readonly etag: string;
}

export interface Repo extends Tagged {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

export interface RepoPage {
  readonly repos: readonly Repo[];
  /** The cursor of the next page; empty after the last one. */
  readonly cursor: string;
}

export interface ApiClient {
  /** Returns repos of the namespace `default`, newest first, or those that match a tag filter such as `env=prod`. */
  list(filter: string, cursor: string): Promise<RepoPage>;
  /** Computes new tags from the current ones and stores them. Keeps concurrent changes by others. */
  changeTags(id: string, known: Tagged, change: (tags: Tags) => Tags): Promise<Tagged>;
}

/** The state of a resource that was never tagged (TAG-039, TAG-047). */
const untagged: Tagged = { tags: {}, etag: 'v1:RBNvo1WzZ4oRRq0W9-hkng' };

interface Reply<Item> {
  readonly result: Item;
  readonly result_info: { readonly cursor: string | null };
}

/** Creates a client of the service. Each of its functions rejects with a {@link Failure}. */
export function createApiClient(apiUrl: string, token: () => string): ApiClient {
  const tagsUrl = new URL('tags', apiUrl).href;

  async function ask<Item>(url: string, init: RequestInit = {}): Promise<Reply<Item>> {
    const headers = { authorization: `Bearer ${token()}`, accept: 'application/json', ...init.headers };
    const response = await fetch(url, { ...init, headers }).catch(noReply);
    if (!response.ok) throw await readFailure(response);
    return (await response.json().catch(noReply)) as Reply<Item>;
  }

  function tagged(query: URLSearchParams): Promise<Reply<readonly (Tagged & { id: string; name: string })[]>> {
    return ask(`${tagsUrl}/resources?type=repository&${query}`);
  }

  async function tagsOf(ids: readonly string[]): Promise<(id: string) => Tagged> {
    const found = ids.length === 0 ? [] : (await tagged(new URLSearchParams(ids.map((id) => ['id', id])))).result;
    return (id) => found.find((one) => one.id === id) ?? untagged;
  }

  return {
    async list(filter, cursor) {
      if (filter !== '') {
        const found = await tagged(new URLSearchParams({ tag: filter, name: 'default/', cursor }));
        // The filter also matches this text in the middle of a name.
        const here = found.result.filter(({ name }) => name.startsWith('default/'));
        const repos = here.map((one) => ({ ...one, name: one.name.slice('default/'.length), description: null }));
        return { repos, cursor: found.result_info.cursor ?? '' };
      }
      const query = new URLSearchParams({ limit: '20', cursor });
      const found = await ask<readonly Omit<Repo, keyof Tagged>[]>(`${apiUrl}/namespaces/default/repos?${query}`);
      const tags = await tagsOf(found.result.map(({ id }) => id));
      const repos = found.result.map((repo) => ({ ...tags(repo.id), ...repo }));
      return { repos, cursor: found.result_info.cursor ?? '' };
    },
    async changeTags(id, known, change) {
      for (let current = known, attempt = 1; ; attempt++) {
        try {
          const { result } = await ask<Tagged>(tagsUrl, {
            method: 'PUT',
            headers: { 'content-type': 'application/json', 'if-match': `"${current.etag}"` },
            body: JSON.stringify({ resource_type: 'repository', resource_id: id, tags: change(current.tags) }),
          });
          return result;
        } catch (failure) {
          const isOld = failure instanceof Failure && failure.kind === 'changed meanwhile';
          if (!isOld || attempt === 5) throw failure;
          current = (await tagsOf([id]))(id);
        }
      }
    },
  };
}

function noReply(): never {
  throw noConnection();
}
