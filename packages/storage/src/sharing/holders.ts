import type { PackId } from '@packhouse/git';

/**
 * Which repositories of an account have a pack, where all of them read it under one key. Of packs that were never shared
 * nothing is noted: whoever removes one of those is the only one to have it.
 */
export interface PackHolders {
  /** Notes durably that each of `repos` has each of these packs, `at` milliseconds since 1970. A later time takes the place of an earlier one. */
  hold(ids: readonly PackId[], repos: readonly string[], at: number): Promise<void>;
  /**
   * Notes that a repository has these packs no more. Answers the same when asked again, unless others did so, too.
   *
   * @returns those that nobody has now: their bytes are to be removed, by the caller.
   */
  release(ids: readonly PackId[], repo: string): Promise<readonly PackId[]>;
  /** The packs that a repository was last noted to have before `time` (milliseconds since 1970), oldest first. */
  held(repo: string, time: number): Promise<readonly PackId[]>;
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
      for (const id of ids) times.get(id)?.delete(repo);
      return ids.filter((id) => (times.get(id)?.size ?? 0) === 0);
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
