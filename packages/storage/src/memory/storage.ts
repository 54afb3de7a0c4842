import type { ApiTokenStores, Catalogs, DueEvents, RepoStorage } from '@packhouse/hosting';
import { memoryTagStores, type TagStores } from '@packhouse/tagging';
import { memoryApiTokens } from './api-tokens.ts';
import { memoryCatalogs } from './catalog.ts';
import { memoryPackStore, type MemoryPacksOptions, type MemoryPackStore } from './packs.ts';
import { memoryRepoState, type MemoryRepoState } from './repo-state.ts';
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
  return {
    catalog: memoryCatalogs(),
    tags: memoryTagStores(),
    apiTokens: memoryApiTokens(),
    ...openRepos(options),
  };
}

/** Makes storage of repositories in memory. They live as long as the returned value. */
export function memoryRepos(options: MemoryPacksOptions = {}): RepoStorage {
  return openRepos(options).repos;
}

function openRepos(options: MemoryPacksOptions): Pick<MemoryStorage, 'repos' | 'events'> {
  const repos = new Map<string, MemoryRepo>();
  const open = (account: string, id: string): MemoryRepo => {
    const key = `${account}/${id}`;
    const known = repos.get(key);
    if (known !== undefined) return known;
    const repo = { account, id, state: memoryRepoState(), packs: memoryPackStore(options) };
    repos.set(key, repo);
    return repo;
  };
  return {
    repos: {
      repo: open,
      async sharePacks(account, from, to, ids) {
        checkPlaces(from, to);
        const [parent, child] = [open(account, from.id), open(account, to.id)];
        await demandAlive(child.state);
        child.packs.share(parent.packs, ids);
        return hasPacks(parent.state, ids);
      },
    },
    events: {
      due: async (now, limit) =>
        [...repos.values()].filter(({ state }) => (state.eventsDue() ?? Infinity) <= now).slice(0, limit),
      whenRecorded: () => {},
      forgetKept: async () => {},
    },
  };
}
