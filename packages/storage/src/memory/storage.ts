import type { ApiTokenStores, Catalogs, DueEvents, DueWork, RepoStorage } from '@packhouse/hosting';
import { memoryTagStores, type TagStores } from '@packhouse/tagging';
import { memoryApiTokens } from './api-tokens.ts';
import { memoryCatalogs } from './catalog.ts';
import { memoryPackStore, type MemoryPacksOptions, type MemoryPackStore } from './packs.ts';
import { memoryRepoState, type MemoryRepoState } from './repo-state.ts';
import { namespaceOwner } from '../repo-state/webhook-row.ts';
import { MemoryWebhookList } from './webhooks.ts';
import { checkPlaces, demandAlive, hasPacks } from '../packs/share-packs.ts';

interface MemoryRepo {
  readonly account: string;
  readonly id: string;
  readonly state: MemoryRepoState;
  readonly packs: MemoryPackStore;
}

/** Storage in memory, for tests, mocks and browsers. Nothing maintains it: packs stay as they were pushed. */
export interface MemoryStorage {
  readonly catalog: Catalogs;
  readonly repos: RepoStorage;
  readonly events: DueEvents;
  readonly dueWebhooks: DueWork['dueWebhooks'];
  readonly tags: TagStores;
  readonly apiTokens: ApiTokenStores;
}

/**
 * Makes storage for a whole service in memory. Its data lives as long as the returned value.
 *
 * @example
 * import { memoryStorage } from '@packhouse/storage';
 *
 * const { catalog } = memoryStorage();
 * console.log(await catalog('local').namespaces({ limit: 10 }));
 */
export function memoryStorage(options: MemoryPacksOptions = {}): MemoryStorage {
  const { namespaceDeleted, ...storage } = openRepos(options);
  const apiTokens = memoryApiTokens();
  const catalog = memoryCatalogs((account, name, at) => {
    namespaceDeleted(account, name);
    apiTokens(account).namespaceDeleted(name, at);
  });
  return { catalog, tags: memoryTagStores(), apiTokens, ...storage };
}

/** Makes storage of repositories in memory. They live as long as the returned value. */
export function memoryRepos(options: MemoryPacksOptions = {}): RepoStorage {
  return openRepos(options).repos;
}

interface OpenedRepos extends Pick<MemoryStorage, 'repos' | 'events' | 'dueWebhooks'> {
  readonly namespaceDeleted: (account: string, name: string) => void;
}

function openRepos(options: MemoryPacksOptions): OpenedRepos {
  const repos = new Map<string, MemoryRepo>();
  const lists = new Map<string, MemoryWebhookList>();
  const namespaceWebhooks = (account: string, namespace: string): MemoryWebhookList => {
    const owner = namespaceOwner(account, namespace);
    const list = lists.get(owner) ?? new MemoryWebhookList();
    lists.set(owner, list);
    return list;
  };
  const open = (account: string, id: string): MemoryRepo => {
    const key = `${account}/${id}`;
    const known = repos.get(key);
    if (known !== undefined) return known;
    const repo = { account, id, state: memoryRepoState(namespaceWebhooks), packs: memoryPackStore(options) };
    repos.set(key, repo);
    return repo;
  };
  return {
    repos: {
      repo: open,
      namespaceWebhooks,
      async sharePacks(account, from, to, ids) {
        checkPlaces(from, to);
        const [parent, child] = [open(account, from.id), open(account, to.id)];
        await demandAlive(child.state);
        child.packs.share(parent.packs, ids);
        return hasPacks(parent.state, ids);
      },
    },
    namespaceDeleted(account, name) {
      const owner = namespaceOwner(account, name);
      lists.get(owner)?.end();
      lists.delete(owner);
    },
    events: {
      due: async (now, limit) =>
        [...repos.values()].filter(({ state }) => (state.eventsDue() ?? Infinity) <= now).slice(0, limit),
      whenRecorded: () => {},
      forgetKept: async () => {},
    },
    dueWebhooks: async (now, limit) =>
      [...repos.values()].filter(({ state }) => (state.webhooksDue() ?? Infinity) <= now).slice(0, limit),
  };
}
