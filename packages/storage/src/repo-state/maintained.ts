import type { PackId, PackRecord } from '@packhouse/git';
import type { HostedRepoState } from '@packhouse/hosting';

/** A repository's state with what maintenance and forks need that Git requests do not. */
export interface MaintainedRepoState extends HostedRepoState {
  /** The packs that lie in rows, oldest first. */
  rowPacks(): Promise<readonly PackRecord[]>;
  /** Whether all of these are in the manifest now, with their bytes in the `PackStore`. */
  hasStored(ids: readonly PackId[]): Promise<boolean>;
  /**
   * Says that the three files of a pack that lies in rows are in the `PackStore` now, durably and under the same id:
   * in one transaction the manifest points there, the rows go, its reservation is dropped, and the version grows.
   * Idempotent; changes nothing of a pack that does not lie in rows (any more), or was replaced.
   *
   * A reader that holds an older snapshot finds no rows and turns to the store. No sweep of left-overs may run between
   * the reservation of the id and this call.
   *
   * @returns whether it changed something.
   */
  settle(id: PackId): Promise<boolean>;
}
