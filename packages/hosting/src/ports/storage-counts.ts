/** Counts of everything in a storage, for operators. */
export interface StorageCounts {
  readonly repositories: number;
  /** Packs that repositories read, without replaced ones. Forks count the packs that they share. */
  readonly packs: number;
  readonly packBytes: number;
  /** Repositories whose maintenance is due. */
  readonly maintenanceDue: number;
  /** Events that no receiver has taken yet. */
  readonly eventsWaiting: number;
}

/** Storage that counts what it has. A count may read every row of a table, so callers remember the result. */
export interface CountedStorage {
  /** `now`: milliseconds since 1970, by which maintenance is due. */
  counts(now: number): Promise<StorageCounts>;
}
