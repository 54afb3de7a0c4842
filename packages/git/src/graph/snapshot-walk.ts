import { treeKind, type GitObject } from '../object/kind.ts';
import { kindOfMode, TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';

/** Where trees are read from; a `RepositoryView` is one. */
export interface TreeSource {
  readonly set: GraphSet;
  /** Loads what {@link TreeSource.findObject} looks into. */
  loadIndexes(): Promise<void>;
  /** Number of the stored object whose 20 bytes stand at `at`; -1: not stored. */
  findObject(ids: Uint8Array, at: number): number;
  read(object: number): GitObject | Promise<GitObject>;
}

/** Entries that looking for an object by its id counts for: it may lie in any pack. */
export function entriesALookUp({ packs }: GraphSet): number {
  return 16 * (1 + packs.length);
}

/** Entries that an entry of a tree of so many bytes counts for. */
export function entriesABytes(bytes: number): number {
  return 6 + bytes / 8;
}

/**
 * Walks what trees reach, which lists of the graph do not tell of one snapshot (`docs/design/graph.md`, "Where lists do
 * not serve"). `enter` is told the number of each object that is met, `root` first, and says of a tree whether to go
 * below it: what was met before need not be gone through again. Links to submodules are no objects. Only trees that a
 * node reaches may be walked. Nothing else may be read through `trees` meanwhile.
 */
export async function walkSnapshot(
  trees: TreeSource,
  root: number,
  enter: (object: number) => boolean,
  work: Work,
): Promise<void> {
  const { set } = trees;
  if (!enter(root) || set.kind(root) !== treeKind) return;
  const entry = new TreeCursor();
  const pending = [root];
  while (pending.length > 0) {
    const reading = trees.read(pending.pop() as number);
    entry.reset((reading instanceof Promise ? await reading : reading).body);
    for (let start = 0; entry.next(); start = entry.position) {
      if (work.spend(cost.entries, entriesALookUp(set) + entriesABytes(entry.position - start))) await work.yield();
      const kind = kindOfMode(entry.mode);
      if (kind === 0) continue;
      const child = trees.findObject(entry.body, entry.oidAt);
      // Who lists a tree has walked it, so what it names is stored.
      if (child < 0) throw new Error('a tree that was verified is not complete');
      if (enter(child) && kind === treeKind) pending.push(child);
    }
  }
}
