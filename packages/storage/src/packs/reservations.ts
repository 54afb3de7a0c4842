import type { PackId } from '@packhouse/git';

/**
 * Packs of one repository that were begun in a bucket and are not yet in a manifest. Stored with the state of the
 * repository, so that no bucket needs to be listed. The commit that adds a pack to the manifest drops its entry.
 */
export interface PackReservations {
  /**
   * Records durably that packs are about to be stored, `at` milliseconds since 1970. Updates the time of existing
   * entries.
   *
   * @throws {RepoGoneError} if the repository was deleted.
   */
  reserve(ids: readonly PackId[], at: number): Promise<void>;
  /** Lists entries before `time` (milliseconds since 1970), oldest first, even of a deleted repository. */
  before(time: number): Promise<readonly PackId[]>;
  /**
   * Drops the entry of a pack whose bytes are gone. Entries of a deleted repository stay until it is forgotten, since a
   * push that ran during the deletion may still store bytes.
   */
  drop(id: PackId): Promise<void>;
}

/** Reservations in memory, for tests. */
export function memoryPackReservations(): PackReservations {
  const begun = new Map<PackId, number>();
  return {
    reserve: async (ids, at) => {
      for (const id of ids) begun.set(id, at);
    },
    before: async (time) =>
      [...begun]
        .filter(([, at]) => at < time)
        .sort(([, a], [, b]) => a - b)
        .map(([id]) => id),
    drop: async (id) => void begun.delete(id),
  };
}
