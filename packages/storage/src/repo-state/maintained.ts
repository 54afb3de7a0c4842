import type { PackId, PackRecord } from '@packhouse/git';
import type { HostedRepoState } from '@packhouse/hosting';

/** The state of a repository, with methods for maintenance and forks that Git requests do not need. */
export interface MaintainedRepoState extends HostedRepoState {
  /** Lists the packs in rows, oldest first. */
  rowPacks(): Promise<readonly PackRecord[]>;
  /** Tests if all these packs are in the manifest, with their bytes in the `PackStore`. */
  hasStored(ids: readonly PackId[]): Promise<boolean>;
  /**
   * Moves a pack from rows to the `PackStore`, which must have its three files durably under the same id. In one
   * transaction, the manifest changes, the rows and the reservation are dropped, and the version grows. Idempotent; a
   * no-op for a pack that is not in rows or was replaced.
   *
   * A reader with an older snapshot finds no rows and falls back to the store. No sweep of leftovers may run between
   * the reservation of the id and this call.
   *
   * @returns true if it changed something.
   */
  settle(id: PackId): Promise<boolean>;
}
