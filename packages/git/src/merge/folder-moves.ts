import type { FolderRelevance, Relevance } from './rename-candidates.ts';

/** Returns the folder of a path; empty for one at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Counts where the files of removed folders went, for one side of a merge. Most files decide where a folder went. */
export class FolderMoves {
  readonly #removed: Map<string, FolderRelevance>;
  /** By old folder: the number of its files by their new folder. */
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(removed: ReadonlyMap<string, FolderRelevance>) {
    this.#removed = new Map(removed);
  }

  /** Counts a rename for its folder, and for those above while the parts below are equal. */
  count(from: string, to: string): void {
    let [old, next] = [folderOf(from), folderOf(to)];
    for (let isFirst = true; this.#removed.has(old); isFirst = false) {
      const relevance = this.#relevanceOf(old);
      if (isFirst || relevance === 'self') this.#add(old, next);
      if (relevance === 'none' || old === '' || next === '') return;
      if (lastPart(old) !== lastPart(next)) return;
      [old, next] = [folderOf(old), folderOf(next)];
    }
  }

  /** By old folder: the new one of most of its files so far. */
  guesses(): ReadonlyMap<string, string> {
    return new Map([...this.#counts].map(([folder, counts]) => [folder, firstOfMost(counts)]));
  }

  /** Returns those of the paths without a rename that can still change the result. */
  stillNeeded(paths: readonly string[], relevance: ReadonlyMap<string, Relevance>): ReadonlySet<string> {
    const unknown = new Map<string, number>();
    for (const path of paths)
      for (
        let folder = folderOf(path);
        folder !== '' && this.#relevanceOf(folder) !== 'none';
        folder = folderOf(folder)
      )
        unknown.set(folder, (unknown.get(folder) ?? 0) + 1);
    for (const [folder, counts] of this.#counts) {
      const [first = 0, second = 0] = [...counts.values()].toSorted((a, b) => b - a);
      // The remaining files of the folder cannot outvote these.
      if (this.#relevanceOf(folder) === 'self' && first > second + (unknown.get(folder) ?? 0))
        this.#removed.set(folder, 'ancestor');
    }
    const matters = (path: string): boolean => {
      for (let folder = folderOf(path); ; folder = folderOf(folder)) {
        const found = this.#relevanceOf(folder);
        if (found !== 'ancestor') return found === 'self';
      }
    };
    return new Set(paths.filter((path) => relevance.get(path) === 'content' || matters(path)));
  }

  /** Drops the counts of folders whose way does not matter. */
  finish(): void {
    for (const folder of this.#counts.keys()) if (this.#relevanceOf(folder) === 'none') this.#counts.delete(folder);
  }

  /** By old folder: the new one; undefined where as many files went to another one. */
  results(): ReadonlyMap<string, string | undefined> {
    return new Map(
      [...this.#counts].map(([folder, counts]) => {
        const most = Math.max(...counts.values());
        const isSplit = [...counts.values()].filter((count) => count === most).length > 1;
        return [folder, isSplit ? undefined : firstOfMost(counts)];
      }),
    );
  }

  #relevanceOf(folder: string): FolderRelevance {
    return this.#removed.get(folder) ?? 'none';
  }

  #add(old: string, next: string): void {
    const counts = this.#counts.get(old) ?? new Map<string, number>();
    counts.set(next, (counts.get(next) ?? 0) + 1);
    this.#counts.set(old, counts);
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function firstOfMost(counts: ReadonlyMap<string, number>): string {
  let [best, most] = ['', 0];
  for (const [folder, count] of counts) if (count > most) [best, most] = [folder, count];
  return best;
}
