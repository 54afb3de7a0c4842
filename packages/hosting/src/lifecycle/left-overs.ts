import { RepoGoneError, type PackId, type PackStore, type RepoState } from '@packhouse/git';

/**
 * Milliseconds: 22 hours. What is older belongs to no push that still runs; with a sweep an hour and time for it to
 * fail once, left-overs are gone within the 24 hours of GIT-153.
 */
export const leftoverAge = 79_200_000;

/**
 * Removes what dead pushes left in the store of one repository: packs begun more than `age`
 * milliseconds (default {@link leftoverAge}) before `now` (milliseconds since 1970) that the manifest does not keep
 * there. Of a repository that is gone, everything that old. Safe beside running pushes that are younger; meant for
 * the start and once an hour, with no more age than the process has, before which no push of its own began (GIT-153).
 *
 * @returns the ids that were removed.
 * @throws {StorageError} if the store fails; what was removed until then is removed.
 */
export async function sweepLeftovers(
  state: RepoState,
  packs: PackStore,
  now: number,
  age: number = leftoverAge,
): Promise<readonly PackId[]> {
  // In this order: a pack committed after it was listed is in the manifest that is read next.
  const candidates = await packs.leftovers(now - age);
  if (candidates.length === 0) return [];
  const kept = await storedPacks(state);
  const removed = candidates.filter((id) => !kept.has(id));
  for (const id of removed) await packs.remove(id);
  return removed;
}

/**
 * Packs in the store that the manifest has, or had until they were replaced. Those in rows may have left bytes there,
 * which nobody reads.
 */
async function storedPacks(state: RepoState): Promise<ReadonlySet<PackId>> {
  try {
    const snapshot = await state.snapshot();
    // Behind the snapshot: what is retired in between is in both, never in none.
    const retired = (await state.retiredPacks()).map(({ pack }) => pack);
    const known = [...(snapshot?.packs ?? []), ...retired];
    return new Set(known.filter((pack) => pack.where === 'store').map((pack) => pack.id));
  } catch (error) {
    if (error instanceof RepoGoneError) return new Set();
    throw error;
  }
}
