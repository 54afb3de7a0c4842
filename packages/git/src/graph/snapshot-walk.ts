import { treeKind, type GitObject } from '../object/kind.ts';
import { kindOfMode, TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';

/** Source of trees, such as a `RepositoryView`. */
export interface TreeSource {
  readonly set: GraphSet;
  /** Loads the indexes for {@link TreeSource.findObject}. */
  loadIndexes(): Promise<void>;
  /** Number of the stored object whose 20 bytes stand at `at`; -1: not stored. */
  findObject(ids: Uint8Array, at: number): number;
  read(object: number): GitObject | Promise<GitObject>;
}

/** Returns the cost of finding an object by id, in entries: it may be in any pack. */
export function entriesALookUp({ packs }: GraphSet): number {
  return 16 * (1 + packs.length);
}

/** Entries that an entry of a tree of so many bytes counts for. */
export function entriesABytes(bytes: number): number {
  return 6 + bytes / 8;
}

/**
 * Walks the objects that trees reach, which lists of the graph do not have for one snapshot (`docs/design/graph.md`,
 * "Where lists do not serve"). Calls `enter` with the number of each object, `root` first. For a tree it returns true
 * to enter it, so that known ones can be skipped. Skips links to submodules, which are not objects, and without
 * `withBlobs` all blobs. Walk only trees that a node reaches, and do not read through `trees` meanwhile.
 */
export async function walkSnapshot(
  trees: TreeSource,
  root: number,
  enter: (object: number) => boolean,
  work: Work,
  withBlobs = true,
): Promise<void> {
  const { set } = trees;
  if (!enter(root) || set.kind(root) !== treeKind) return;
  const entry = new TreeCursor();
  const pending = [root];
  while (pending.length > 0) {
    const reading = trees.read(pending.pop() as number);
    entry.reset((reading instanceof Promise ? await reading : reading).body);
    for (let start = 0; entry.next(); start = entry.position) {
      const kind = kindOfMode(entry.mode);
      const isSkipped = kind !== treeKind && (kind === 0 || !withBlobs);
      const entries = entriesABytes(entry.position - start) + (isSkipped ? 0 : entriesALookUp(set));
      if (work.spend(cost.entries, entries)) await work.yield();
      if (isSkipped) continue;
      const child = trees.findObject(entry.body, entry.oidAt);
      // Who lists a tree has walked it, so what it names is stored.
      if (child < 0) throw new Error('a tree that was verified is not complete');
      if (enter(child) && kind === treeKind) pending.push(child);
    }
  }
}
