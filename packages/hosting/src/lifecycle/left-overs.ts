import { RepoGoneError, type PackId, type PackStore, type RepoState } from '@packhouse/git';

/**
 * Milliseconds (22 hours) after which no push can still be running. With a sweep every hour, of which one may fail,
 * leftovers are gone within the 24 hours of GIT-153.
 */
export const leftoverAge = 79_200_000;

/**
 * Removes leftovers of failed pushes from the store of one repository: packs begun more than `age` milliseconds
 * (default {@link leftoverAge}) before `now` (milliseconds since 1970) that its manifest does not have in the store. Of
 * a deleted repository it removes all packs of that age. Safe during younger pushes. Call it at the start, and then
 * every hour with at most the age of the process, since no push of the process began before it (GIT-153).
 *
 * @returns the ids of removed packs.
 * @throws {StorageError} if the store fails, perhaps after removing some packs.
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
 * Returns the ids of packs in the store that are in the manifest or retired. Packs in rows may have unused bytes there.
 */
async function storedPacks(state: RepoState): Promise<ReadonlySet<PackId>> {
  try {
    const snapshot = await state.snapshot();
    // After the snapshot: a pack retired in between is then in both, never in none.
    const retired = (await state.retiredPacks()).map(({ pack }) => pack);
    const known = [...(snapshot?.packs ?? []), ...retired];
    return new Set(known.filter((pack) => pack.where === 'store').map((pack) => pack.id));
  } catch (error) {
    if (error instanceof RepoGoneError) return new Set();
    throw error;
  }
}
