import type { SqlDriver } from './driver.ts';

/** Share of the database that is free when it begins to return pages, and when it stops. The rest is for new rows. */
const beginAt = 1 / 4;
const endAt = 1 / 16;
/** Free bytes below which no step runs. */
const bytesMin = 1_048_576;

/** Milliseconds after which a step ends. */
const stepTime = 10;
/** Pages that are returned between two looks at the clock. */
const pagesAtOnce = 4;

/**
 * Returns a function that gives free pages of a database back to the file system, in short steps: the last pages move
 * into free ones, and the next checkpoint cuts the file. Each call does one step, and returns false if nothing is left
 * to do. A database without incremental auto-vacuum keeps its pages.
 */
export function freePages(driver: SqlDriver, now: () => number = () => performance.now()): () => boolean {
  let isReturning = false;
  const pragma = (name: string): number =>
    Object.values(driver.all<Readonly<Record<string, number>>>(`PRAGMA ${name}`)[0] ?? {})[0] ?? 0;
  const isIncremental = pragma('auto_vacuum') === 2;
  const pageBytes = pragma('page_size');
  return () => {
    const [free, all] = [pragma('freelist_count'), pragma('page_count')];
    isReturning = isIncremental && free * pageBytes >= bytesMin && free >= all * (isReturning ? endAt : beginAt);
    if (!isReturning) return false;
    const end = now() + stepTime;
    driver.transaction(() => {
      // One page may take a while: SQLite looks it up in the list of all free pages.
      do driver.all(`PRAGMA incremental_vacuum(${pagesAtOnce})`);
      while (now() < end && pragma('freelist_count') > all * endAt);
    }, 'lazy');
    return true;
  };
}
