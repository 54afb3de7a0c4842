import { objectIdAt } from '../object/object-id.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from '../engine/engine.ts';
import { placeKey } from '../engine/set-cache.ts';
import type { RememberedColours } from './visibility.ts';

/**
 * Caches the visible nodes of a snapshot in the engine, so that reads by id, each a separate request, do not walk the
 * same history again.
 */
export function remembered(
  { visible, codec }: GitEngine,
  { packs }: RepoSnapshot,
  hiddenPrefixes: readonly string[],
): RememberedColours {
  // All that the colours hang on, and no more: packs are shared between repositories, so neither they nor a version tell
  // whose history it is. The list of refs does.
  let placed: string | undefined;
  const keyOf = (refs: number): string => {
    if (placed === undefined) {
      const sum = codec.sha1();
      for (const pack of packs) sum.update(new TextEncoder().encode(`${placeKey(pack)}\n`));
      placed = objectIdAt(sum.digest());
    }
    return JSON.stringify([refs, placed, ...hiddenPrefixes]);
  };
  return {
    get: ({ number }) => visible.get(keyOf(number)),
    set: ({ number }, colours) => void visible.set(keyOf(number), colours),
  };
}
