import type { PackStore } from '@packhouse/git';
import type { Catalog, Catalogs, RepoPlace, RepoStorage } from '@packhouse/hosting';
import type { TagStores } from '@packhouse/tagging';
import {
  checkPlaces,
  r2PackStore,
  shareR2Packs,
  type PackHolders,
  type PackReservations,
} from '@packhouse/storage/workers';
import { RemoteCatalog } from '../calls/remote-catalog.ts';
import { remotePackHolders } from '../calls/remote-pack-holders.ts';
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

/** Which repositories of an account have which packs in common, in its object. */
export function remoteHolders(environment: Environment, account: string, usage: Usage): PackHolders {
  return remotePackHolders({ account, usage, stub: () => environment.CATALOGS.getByName(account) });
}

export interface PacksOptions {
  readonly environment: Environment;
  readonly account: string;
  readonly id: string;
  readonly jurisdiction: string;
  readonly reservations: PackReservations;
  readonly holders: PackHolders;
  readonly usage: Usage;
}

/** The packs of a repository, in the bucket of its jurisdiction. */
export function packsOf({ environment, account, id, jurisdiction, usage, ...notes }: PacksOptions): PackStore {
  return r2PackStore({
    bucket: bucketOf(environment, jurisdiction),
    account,
    repoId: id,
    ...notes,
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
 * @param holdersOf of an account, as this usage pays for. Default: in its object, which itself must not call itself.
 */
export function workerStorage(
  environment: Environment,
  accountStorageMax: number,
  holdersOf: (account: string, usage: Usage) => PackHolders = (account, usage) =>
    remoteHolders(environment, account, usage),
): { readonly catalogs: Catalogs; readonly tags: TagStores; readonly storage: RepoStorage } {
  const room = new RoomMemory(accountStorageMax);
  const usage = (): Usage => currentScope()?.usage ?? newUsage();
  const stateOf = (account: string, { id, jurisdiction }: RepoPlace, payer: Usage): RemoteRepoState => {
    const objects = objectsIn(environment.REPOS, jurisdiction);
    return new RemoteRepoState({ id, jurisdiction, usage: payer, stub: () => objects.getByName(`${account}/${id}`) });
  };
  return {
    catalogs: (account) => remoteCatalog(environment, account, { usage: usage(), room }),
    tags: (account) =>
      new RemoteTagStore({ account, usage: usage(), stub: () => environment.CATALOGS.getByName(account) }),
    storage: {
      countsRequests: true,
      repo(account, id, jurisdiction) {
        // Taken now: a reply that streams later may run outside of the scope.
        const payer = usage();
        const state = stateOf(account, { id, jurisdiction }, payer);
        const { reservations } = state;
        const holders = holdersOf(account, payer);
        return {
          id,
          state,
          packs: packsOf({ environment, account, id, jurisdiction, reservations, holders, usage: payer }),
        };
      },
      async sharePacks(account, from, to, ids) {
        checkPlaces(from, to);
        const payer = usage();
        const { reservations } = stateOf(account, to, payer);
        return shareR2Packs(
          {
            holders: holdersOf(account, payer),
            from: { id: from.id, state: stateOf(account, from, payer) },
            to: { id: to.id, reservations },
            at: Date.now(),
          },
          ids,
        );
      },
    },
  };
}
