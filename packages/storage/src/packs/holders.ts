import type { PackId } from '@packhouse/git';

/**
 * Which repositories of an account have a pack, where all of them read it under one key. Of packs that were never shared
 * nothing is noted: whoever removes one of those is the only one to have it.
 */
export interface PackHolders {
  /** Notes durably that each of `repos` has each of these packs, `at` milliseconds since 1970. A later time takes the place of an earlier one. */
  hold(ids: readonly PackId[], repos: readonly string[], at: number): Promise<void>;
  /**
   * Notes that a repository has these packs no more, but for those that nobody else has: of these its own note stays,
   * until the bytes are removed and the note is dropped. Answers the same when asked again, unless others did so, too.
   */
  release(ids: readonly PackId[], repo: string): Promise<Released>;
  /** Drops the notes that a repository has these packs, once their bytes are removed. */
  drop(ids: readonly PackId[], repo: string): Promise<void>;
  /** The packs that a repository was last noted to have before `time` (milliseconds since 1970), oldest first. */
  held(repo: string, time: number): Promise<readonly PackId[]>;
}

/** The answer to {@link PackHolders.release}. */
export interface Released {
  /** Packs that nobody else has: the caller removes their bytes. */
  readonly unheld: readonly PackId[];
  /** Those of them of which the caller's own note is still there, to be dropped afterwards. */
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
