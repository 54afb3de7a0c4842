import type { Steps } from '../work/loops.ts';

/** Buckets of Git's hash map, at first and by how much they grow. */
const [firstSize, growth] = [64, 4];

/** Part of the buckets for which there may be keys. */
const loadMax = 0.8;

/** Work for one key, as a number of table entries. */
const entriesAKey = 20;

/**
 * Returns byte texts in the order in which a hash map of Git visits them, after they were added in the given order.
 * Steps count table entries.
 */
export function* inHashOrder(keys: readonly string[]): Steps<readonly string[]> {
  let visited: string[] = [];
  for (let size = firstSize; ; size *= growth) {
    const buckets = Array.from({ length: size }, (): string[] => []);
    const growsAt = Math.floor(size * loadMax) + 1;
    for (const key of [...visited, ...keys.slice(visited.length, growsAt)]) {
      yield entriesAKey;
      buckets[hashOf(key) & (size - 1)]?.unshift(key);
    }
    visited = buckets.flat();
    if (keys.length < growsAt) return visited;
  }
}

/** FNV-1, as `strhash` of Git has it. */
function hashOf(key: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash, 0x0100_0193) ^ key.charCodeAt(i);
  return hash;
}
