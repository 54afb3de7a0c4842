import { StorageError, type PackStore } from '@packhouse/git';
import type { Catalog, Catalogs, RepoStorage, TagStores } from '@packhouse/hosting';
import { r2PackStore, type PackReservations } from '@packhouse/storage/workers';
import { RemoteCatalog } from '../calls/remote-catalog.ts';
import { RemoteRepoState } from '../calls/remote-repo-state.ts';
import { RemoteTagStore } from '../calls/remote-tag-store.ts';
import type { Environment } from '../environment/environment.ts';
import { bucketOf, objectsIn } from '../environment/jurisdictions.ts';
import { RoomMemory } from './room-memory.ts';
import { currentScope, newUsage, type Usage } from './usage.ts';

/** The catalog of an account, in its object. */
export function remoteCatalog(
  environment: Environment,
  account: string,
  options: { readonly usage: Usage; readonly room?: RoomMemory },
): Catalog {
  return new RemoteCatalog({ account, stub: () => environment.CATALOGS.getByName(account), ...options });
}

export interface PacksOptions {
  readonly environment: Environment;
  readonly id: string;
  readonly jurisdiction: string;
  readonly reservations: PackReservations;
  readonly usage: Usage;
}

/** The packs of a repository, in the bucket of its jurisdiction. */
export function packsOf({ environment, id, jurisdiction, reservations, usage }: PacksOptions): PackStore {
  return r2PackStore({
    bucket: bucketOf(environment, jurisdiction),
    repoId: id,
    reservations,
    onOperation(kind, rangesInFlight) {
      if (kind === 'classA') usage.r2ClassA += 1;
      if (kind === 'classB') usage.r2ClassB += 1;
      usage.rangesInFlight = Math.max(usage.rangesInFlight, rangesInFlight);
    },
  });
}

/**
 * Catalogs, tags and repositories as the Worker reaches them. What each request does is counted in its own scope.
 *
 * @param accountStorageMax bytes (LIM-012).
 */
export function workerStorage(
  environment: Environment,
  accountStorageMax: number,
): { readonly catalogs: Catalogs; readonly tags: TagStores; readonly storage: RepoStorage } {
  const room = new RoomMemory(accountStorageMax);
  const usage = (): Usage => currentScope()?.usage ?? newUsage();
  return {
    catalogs: (account) => remoteCatalog(environment, account, { usage: usage(), room }),
    tags: (account) =>
      new RemoteTagStore({ account, usage: usage(), stub: () => environment.CATALOGS.getByName(account) }),
    storage: {
      countsRequests: true,
      sharePacks: async () => {
        throw new StorageError('Forks are not possible yet');
      },
      repo(account, id, jurisdiction) {
        // Taken now: a reply that streams later may run outside of the scope.
        const payer = usage();
        const objects = objectsIn(environment.REPOS, jurisdiction);
        const state = new RemoteRepoState({
          id,
          jurisdiction,
          usage: payer,
          stub: () => objects.getByName(`${account}/${id}`),
        });
        const { reservations } = state;
        return { state, packs: packsOf({ environment, id, jurisdiction, reservations, usage: payer }) };
      },
    },
  };
}
