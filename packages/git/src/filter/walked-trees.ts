import { entriesABytes, entriesALookUp, type TreeSource } from '../graph/snapshot-walk.ts';
import { treeKind } from '../object/kind.ts';
import { kindOfMode, TreeCursor } from '../object/tree.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

/** Trees for a filter's walk: numbers of trees that some node reaches. */
export interface WalkedTrees {
  readonly trees: TreeSource;
  /** Root trees of the commits that are sent. */
  readonly roots: readonly number[];
  /** Trees that the client wants by id. */
  readonly given: readonly number[];
  /** Tests if a tree and everything below it can be skipped. */
  readonly isHeld: (tree: number) => boolean;
  readonly work: Work;
}

/**
 * Visits the entries of a tree that are objects; the cursor is at the visited one. `find` returns its number. It is the
 * slowest part, so call it only if needed.
 */
export async function forEachEntry(
  { trees, work }: WalkedTrees,
  tree: number,
  visit: (entry: TreeCursor, isTree: boolean, find: () => number) => void | Promise<void>,
): Promise<void> {
  const reading = trees.read(tree);
  const entry = new TreeCursor((reading instanceof Promise ? await reading : reading).body);
  const find = (): number => {
    const object = trees.findObject(entry.body, entry.oidAt);
    // Who lists a tree has walked it, so what it names is stored.
    if (object < 0) throw new Error('a tree that was verified is not complete');
    return object;
  };
  const entries = entriesALookUp(trees.set);
  for (let start = 0; entry.next(); start = entry.position) {
    if (work.spend(cost.entries, entries + entriesABytes(entry.position - start))) await work.yield();
    const kind = kindOfMode(entry.mode);
    if (kind === 0) continue;
    const visiting = visit(entry, kind === treeKind, find);
    if (visiting !== undefined) await visiting;
  }
}
