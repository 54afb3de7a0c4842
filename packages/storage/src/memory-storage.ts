import type { RepoStorage } from '@packhouse/hosting';
import { memoryPackStore, type MemoryPacksOptions, type MemoryPackStore } from './packs/memory.ts';
import type { MaintainedRepoState } from './repo-state/maintained.ts';
import { memoryRepoState } from './repo-state/memory.ts';
import { checkPlaces, demandAlive, hasPacks } from './sharing/share-packs.ts';

interface MemoryRepo {
  readonly id: string;
  readonly state: MaintainedRepoState;
  readonly packs: MemoryPackStore;
}

/** All repositories in memory: for tests, mocks and browsers. They live as long as the value does. */
export function memoryStorage(options: MemoryPacksOptions = {}): RepoStorage {
  const repos = new Map<string, MemoryRepo>();
  const open = (account: string, id: string): MemoryRepo => {
    const key = `${account}/${id}`;
    const known = repos.get(key);
    if (known !== undefined) return known;
    const repo = { id, state: memoryRepoState(), packs: memoryPackStore(options) };
    repos.set(key, repo);
    return repo;
  };
  return {
    repo: open,
    async sharePacks(account, from, to, ids) {
      checkPlaces(from, to);
      const [parent, child] = [open(account, from.id), open(account, to.id)];
      await demandAlive(child.state);
      child.packs.share(parent.packs, ids);
      return hasPacks(parent.state, ids);
    },
  };
}
