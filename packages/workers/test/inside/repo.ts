import { env } from 'cloudflare:workers';
import type { PackStore } from '@packhouse/git';
import { sqlRepoState } from '@packhouse/storage';
import {
  bucketPackStore,
  sqlPackHolders,
  sqlPackReservations,
  type PackHolders,
  type MaintainedRepoState,
  type PackReservations,
  type BucketPackStoreOptions,
} from '@packhouse/storage/workers';
import { inside, newDatabase, type Database } from './database.ts';

export interface Repo {
  readonly id: string;
  readonly account: string;
  readonly database: Database;
  readonly state: MaintainedRepoState;
  readonly reservations: PackReservations;
  readonly holders: PackHolders;
  /** A store of one request. */
  packs(options?: Partial<BucketPackStoreOptions>): PackStore;
}

/** Begins a new repository in its own object, with packs in the bucket. Retries do not wait. */
export async function newRepo(): Promise<Repo> {
  const repo = openRepo(newDatabase(), crypto.randomUUID().replaceAll('-', '').slice(0, 16));
  const head = { account: 'a1', namespace: 'default', name: 'notes', defaultBranch: 'main', readOnly: false } as const;
  await repo.state.begin(
    { ...head, id: repo.id, status: 'ready' },
    { id: 't1', secretHash: '0'.repeat(64), scope: 'write', createdAt: 1, expiresAt: 2, revokedAt: null },
  );
  return repo;
}

/** The same, as a caller reaches it who takes a new stub: that of an object that was reset stays broken. */
export function reopened({ database, id }: Repo): Repo {
  return openRepo(env.DATABASE.get(database.id), id);
}

function openRepo(database: Database, id: string): Repo {
  const reservations = inside(database, (driver) => sqlPackReservations(driver, id));
  const holders = inside(database, sqlPackHolders);
  // A separate account, because the keys in the bucket contain the account.
  const account = `account-of-${id}`;
  return {
    id,
    account,
    database,
    holders,
    state: inside(database, (driver) => sqlRepoState(driver, id)),
    reservations,
    packs: (options = {}) =>
      bucketPackStore({
        bucket: env.PACKS,
        account,
        repoId: id,
        reservations,
        holders,
        sleep: async () => undefined,
        onOperation(_, rangesInFlight) {
          if (rangesInFlight > 4) throw new Error('Too many reads at once');
        },
        ...options,
      }),
  };
}
