import type { Catalogs } from './catalog.ts';
import type { RepoStorage } from './repo-storage.ts';

/** The storage that work beside requests reads and changes. */
export interface WorkStorage {
  readonly catalog: Catalogs;
  readonly repos: RepoStorage;
}

/** A lease that this process has taken. */
export interface WorkLease {
  /** The fencing number, higher than that of each lease before it with the same key. */
  readonly fence: number;
  /**
   * The storage for the work of the lease. The transaction of each change tests the fencing number, so a holder that
   * stalled until another one took the lease changes nothing: the change throws {@link LeaseLostError} then.
   */
  readonly storage: WorkStorage;
  /** Moves the expiry to `milliseconds` from now. Returns false if the lease was released or is another holder's. */
  renew(milliseconds: number): Promise<boolean>;
  /** Ends the lease, so that another process can take it at once. A no-op if another one has. */
  release(): Promise<void>;
}

/**
 * Leases of work that only one of several servers may do at a time (REPO-330). All times are those of one clock, that of
 * the storage, so the clocks of the servers do not matter.
 */
export interface WorkLeases {
  /**
   * Takes the lease of a key for `milliseconds`. Of several calls at once, one succeeds.
   *
   * @param key at most 200 characters.
   * @returns undefined while another lease of the key is neither released nor expired.
   */
  take(key: string, milliseconds: number): Promise<WorkLease | undefined>;
}

/** The lease expired, and another process took it. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';

  constructor() {
    super('Another server has taken over this work, because this one did not renew its lease in time');
  }
}

/** The key of the lease of a repository's maintenance. */
export function maintenanceKey(repoId: string): string {
  return `maintain ${repoId}`;
}

/** The key of the lease of the delivery of a repository's events. */
export function eventsKey(repoId: string): string {
  return `events ${repoId}`;
}

/** The key of the lease of the delivery of a repository's events to webhooks. */
export function webhooksKey(repoId: string): string {
  return `webhooks ${repoId}`;
}
