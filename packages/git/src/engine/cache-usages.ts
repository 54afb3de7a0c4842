import type { CacheUsage } from '@packhouse/base';
import type { GitEngine } from './engine.ts';

/** Returns the usage of each cache that has a weight in bytes, by its name. */
export function cacheUsages({
  graphs,
  indexes,
  sets,
  refLists,
  visible,
  plans,
  sent,
}: GitEngine): ReadonlyMap<string, CacheUsage> {
  return new Map<string, CacheUsage>([
    ['graphs', graphs],
    ['indexes', indexes],
    ['sets', sets.usage],
    ['refs', refLists.usage],
    ['visible', visible],
    ['plans', plans],
    ['sent', sent],
  ]);
}
