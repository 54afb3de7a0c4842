import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from './engine.ts';
import type { RememberedColours } from './visibility.ts';

/**
 * Where the engine remembers what is visible in a snapshot, so that reads by id, each a request of its own, do not go
 * through the same history again.
 */
export function remembered(
  { visible }: GitEngine,
  { packs, version }: RepoSnapshot,
  hiddenPrefixes: readonly string[],
): RememberedColours | undefined {
  const newest = packs.at(-1);
  if (newest === undefined) return undefined;
  // A pack is of one repository, and all that changes its refs or packs makes another version.
  const key = JSON.stringify([newest.id, version, ...hiddenPrefixes]);
  return { get: () => visible.get(key), set: (colours) => void visible.set(key, colours) };
}
