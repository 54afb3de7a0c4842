import { objectIdAt, objectIdBytes, writeObjectId } from '../object/object-id.ts';
import type { RefRecord, RepoSnapshot } from '../ports/repo-state.ts';
import { visibleRefs } from '../refs/visible-refs.ts';
import type { GitEngine } from './engine.ts';
import { placeKey } from './set-cache.ts';
import type { RememberedColours } from './visibility.ts';

/**
 * Where the engine remembers what is visible in a snapshot, so that reads by id, each a request of its own, do not go
 * through the same history again.
 */
export function remembered(
  { visible, codec }: GitEngine,
  { packs, refs }: RepoSnapshot,
  hiddenPrefixes: readonly string[],
): RememberedColours {
  // All that the colours hang on, and no more: packs are shared between repositories, so neither they nor a version tell
  // whose history it is.
  let known: string | undefined;
  const key = (): string => {
    if (known !== undefined) return known;
    const sum = codec.sha1();
    for (const pack of packs) sum.update(new TextEncoder().encode(`${placeKey(pack)}\n`));
    for (const ids of idsOf(visibleRefs(refs, hiddenPrefixes))) sum.update(ids);
    return (known = objectIdAt(sum.digest()));
  };
  return { get: () => visible.get(key()), set: (colours) => void visible.set(key(), colours) };
}

/** The values of refs in portions, valid until the next one is asked for. */
function* idsOf(refs: readonly RefRecord[]): Generator<Uint8Array, void, undefined> {
  const portion = new Uint8Array(Math.min(refs.length, 1024) * objectIdBytes);
  let filled = 0;
  for (const { oid } of refs) {
    writeObjectId(oid, portion, filled);
    filled += objectIdBytes;
    if (filled < portion.length) continue;
    yield portion;
    filled = 0;
  }
  yield portion.subarray(0, filled);
}
