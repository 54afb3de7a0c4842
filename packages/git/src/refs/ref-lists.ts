import { type CacheBudget, type CacheUsage, LruCache } from '@packhouse/base';
import type { RefList } from './ref-list.ts';
import type { RefName } from './ref-name.ts';

/** A list of the refs of a repository, perhaps not complete. */
export interface KnownRefs {
  readonly version: number;
  readonly list: RefList;
  /** `part`: the list has the refs up to `end`. `too large`: it has none, since all of them take too much memory. */
  readonly extent: 'all' | 'part' | 'too large';
  readonly end?: RefName | undefined;
}

/**
 * The lists of refs that requests needed in full, one for each repository: of the latest version that was asked for, or
 * as far as it is loaded. A request of another version makes its own from it.
 */
export class RefLists {
  readonly #lists: LruCache<string, KnownRefs>;
  /** Maximum memory of one list in bytes. */
  readonly sizeMax: number;

  constructor(budget: CacheBudget) {
    this.#lists = new LruCache(budget, ({ list }) => list.size);
    this.sizeMax = budget.limit / 2;
  }

  get usage(): CacheUsage {
    return this.#lists;
  }

  get(repo: string): KnownRefs | undefined {
    return this.#lists.get(repo);
  }

  /** Stores the list, unless a newer version is already known. */
  set(repo: string, known: KnownRefs): void {
    const version = this.#lists.get(repo)?.version ?? 0;
    if (known.version >= version) this.#lists.set(repo, known);
  }
}
