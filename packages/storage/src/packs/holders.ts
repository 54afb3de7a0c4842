import type { PackId } from '@packhouse/git';

/**
 * Records which repositories of an account have a pack that all of them read under one key. Packs that were never
 * shared have no record: only one repository has them.
 */
export interface PackHolders {
  /**
   * Records durably that each of `repos` has each of these packs, `at` milliseconds since 1970. A later time replaces
   * an earlier one.
   */
  hold(ids: readonly PackId[], repos: readonly string[], at: number): Promise<void>;
  /**
   * Releases the repository's hold on these packs. If it was the last holder, the hold stays until the caller has
   * deleted the bytes and calls `drop`. Idempotent unless another repository releases in between.
   */
  release(ids: readonly PackId[], repo: string): Promise<Released>;
  /** Drops the holds of a repository on packs whose bytes are deleted. */
  drop(ids: readonly PackId[], repo: string): Promise<void>;
  /** Lists the packs whose last hold by a repository is before `time` (milliseconds since 1970), oldest first. */
  held(repo: string, time: number): Promise<readonly PackId[]>;
}

/** Result of {@link PackHolders.release}. */
export interface Released {
  /** Packs without another holder: the caller must delete their bytes. */
  readonly unheld: readonly PackId[];
  /** Packs of `unheld` whose own hold remains, to be dropped afterwards. */
  readonly noted: readonly PackId[];
}

/** Holders in memory, for tests. */
export function memoryPackHolders(): PackHolders {
  const times = new Map<PackId, Map<string, number>>();
  return {
    async hold(ids, repos, at) {
      for (const id of ids) {
        const holders = times.get(id) ?? new Map<string, number>();
        for (const repo of repos) holders.set(repo, Math.max(at, holders.get(repo) ?? at));
        times.set(id, holders);
      }
    },
    async release(ids, repo) {
      const unheld = ids.filter((id) => [...(times.get(id)?.keys() ?? [])].every((holder) => holder === repo));
      for (const id of ids) if (!unheld.includes(id)) times.get(id)?.delete(repo);
      return { unheld, noted: unheld.filter((id) => times.get(id)?.has(repo)) };
    },
    async drop(ids, repo) {
      for (const id of ids) times.get(id)?.delete(repo);
    },
    async held(repo, time) {
      return [...times]
        .flatMap(([id, holders]) => {
          const at = holders.get(repo);
          return at !== undefined && at < time ? [{ id, at }] : [];
        })
        .sort((a, b) => a.at - b.at)
        .map(({ id }) => id);
    },
  };
}
