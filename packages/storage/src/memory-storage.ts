import type { HostedRepo, RepoStorage } from '@packhouse/hosting';
import { memoryPackStore, type MemoryPacksOptions } from './packs/memory.ts';
import { memoryRepoState } from './repo-state/memory.ts';

/** All repositories in memory: for tests, mocks and browsers. They live as long as the value does. */
export function memoryStorage(options: MemoryPacksOptions = {}): RepoStorage {
  const repos = new Map<string, HostedRepo>();
  return {
    repo(account, id) {
      const key = `${account}/${id}`;
      const known = repos.get(key);
      if (known !== undefined) return known;
      const repo = { state: memoryRepoState(), packs: memoryPackStore(options) };
      repos.set(key, repo);
      return repo;
    },
  };
}
