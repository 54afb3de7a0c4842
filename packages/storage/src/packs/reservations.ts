import type { PackId } from '@packhouse/git';

/**
 * Which packs of one repository were begun in a bucket and are in no manifest yet. It lies with the repository's state,
 * so that no bucket ever has to be listed, and the commit that adds a pack to the manifest drops its entry.
 */
export interface PackReservations {
  /**
   * Notes durably that packs are about to be stored, `at` milliseconds since 1970. One that is there gets the new time.
   *
   * @throws {RepoGoneError} if the repository was deleted.
   */
  reserve(ids: readonly PackId[], at: number): Promise<void>;
  /** Those noted before `time` (milliseconds since 1970), oldest first. Also of a deleted repository. */
  before(time: number): Promise<readonly PackId[]>;
  /**
   * Forgets one, when it has no bytes any more. Those of a deleted repository stay until that is forgotten: a push that
   * ran when it was deleted may still bring bytes.
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
