import { env } from 'cloudflare:workers';
import type { PackStore } from '@packhouse/git';
import { sqlRepoState } from '@packhouse/storage';
import {
  r2PackStore,
  sqlPackReservations,
  type MaintainedRepoState,
  type R2PackStoreOptions,
} from '@packhouse/storage/workers';
import { inside, newDatabase, type Database } from './database.ts';

export interface Repo {
  readonly id: string;
  readonly database: Database;
  readonly state: MaintainedRepoState;
  /** A store of one request. */
  packs(options?: Partial<R2PackStoreOptions>): PackStore;
}

/** A repository of its own, begun in an object of its own, with packs in the bucket. Nothing waits between attempts. */
export async function newRepo(): Promise<Repo> {
  const id = crypto.randomUUID().replaceAll('-', '').slice(0, 16);
  const database = newDatabase();
  const state = inside(database, (driver) => sqlRepoState(driver, id));
  await state.begin(
    { account: 'a1', id, namespace: 'default', name: 'notes', defaultBranch: 'main', readOnly: false, status: 'ready' },
    { id: 't1', secretHash: '0'.repeat(64), scope: 'write', createdAt: 1, expiresAt: 2, revokedAt: null },
  );
  return {
    id,
    database,
    state,
    packs: (options = {}) =>
      r2PackStore({
        bucket: env.PACKS,
        repoId: id,
        reservations: inside(database, (driver) => sqlPackReservations(driver, id)),
        sleep: async () => undefined,
        ...options,
      }),
  };
}
