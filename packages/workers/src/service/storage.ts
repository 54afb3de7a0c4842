import type { PackStore } from '@packhouse/git';
import type { Catalog, RepoPlace } from '@packhouse/hosting';
import type { AreaStorage } from '@packhouse/router';
import {
  checkPlaces,
  bucketPackStore,
  shareBucketPacks,
  type PackHolders,
  type PackReservations,
} from '@packhouse/storage/workers';
import { accountPorts } from '../calls/account-ports.ts';
import { remotePort, type RemotePortOptions } from '../calls/remote-port.ts';
import { remoteRepo, type RemoteRepo } from '../calls/repo-ports.ts';
import type { Environment } from '../environment/environment.ts';
import { bucketOf, objectsIn } from '../environment/jurisdictions.ts';
import { currentUsage, type Usage } from '../request/usage.ts';
import { RoomMemory } from './room-memory.ts';

/** Makes the options for calls of an account's object, which are counted in `usage`. */
export function accountObject(environment: Environment, account: string, usage: Usage): RemotePortOptions<string> {
  return { place: account, usage, stub: () => environment.CATALOGS.getByName(account) };
}

/** Makes the options for calls of a repository's object, which are counted in `usage`. */
export function repoObject(
  environment: Environment,
  account: string,
  { id, jurisdiction }: RepoPlace,
  usage: Usage,
): RemotePortOptions<RepoPlace> {
  const objects = objectsIn(environment.REPOS, jurisdiction);
  return { place: { id, jurisdiction }, usage, stub: () => objects.getByName(`${account}/${id}`) };
}

/** Makes the catalog of an account, which calls its object. */
export function remoteCatalog(environment: Environment, account: string, usage: Usage): Catalog {
  return remotePort(accountPorts, 'catalog', accountObject(environment, account, usage));
}

/** Makes the record of shared packs of an account, which calls its object. */
export function remoteHolders(environment: Environment, account: string, usage: Usage): PackHolders {
  return remotePort(accountPorts, 'holders', accountObject(environment, account, usage));
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

/** Makes the pack store of a repository, in the bucket of its jurisdiction. */
export function packsOf({ environment, account, id, jurisdiction, usage, ...notes }: PacksOptions): PackStore {
  return bucketPackStore({
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
 * Makes the storage of the Worker: catalogs, tags and repositories in their objects. Each request counts its operations
 * in its own scope.
 *
 * @param accountStorageMax bytes (LIM-012).
 * @param holdersOf returns the pack holders of an account. Default: calls the account's object. That object passes its
 *   own, because it must not call itself.
 */
export function workerStorage(
  environment: Environment,
  accountStorageMax: number,
  holdersOf: (account: string, usage: Usage) => PackHolders = (account, usage) =>
    remoteHolders(environment, account, usage),
): Required<AreaStorage> {
  const room = new RoomMemory(accountStorageMax);
  const repoOf = (account: string, place: RepoPlace, usage: Usage): RemoteRepo =>
    remoteRepo(repoObject(environment, account, place, usage));
  return {
    catalog: (account) => room.remembering(account, remoteCatalog(environment, account, currentUsage())),
    apiTokens: (account) => remotePort(accountPorts, 'apiTokens', accountObject(environment, account, currentUsage())),
    tags: (account) => remotePort(accountPorts, 'tags', accountObject(environment, account, currentUsage())),
    repos: {
      countsRequests: true,
      repo(account, id, jurisdiction) {
        // Read now: a reply that streams later may run outside of the scope.
        const usage = currentUsage();
        const { state, reservations, prepared } = repoOf(account, { id, jurisdiction }, usage);
        const holders = holdersOf(account, usage);
        const packs = packsOf({ environment, account, id, jurisdiction, reservations, holders, usage });
        return { id, state, packs, prepared };
      },
      async sharePacks(account, from, to, ids) {
        checkPlaces(from, to);
        const usage = currentUsage();
        return shareBucketPacks(
          {
            holders: holdersOf(account, usage),
            from: { id: from.id, state: repoOf(account, from, usage).state },
            to: { id: to.id, reservations: repoOf(account, to, usage).reservations },
            at: Date.now(),
          },
          ids,
        );
      },
    },
  };
}
