import { GrowableUint32 } from '../graph/growable.ts';
import { cost } from '../work/costs.ts';
import { stretches } from '../work/loops.ts';
import { forEachEntry, type WalkedTrees } from './walked-trees.ts';

/** Work for sorting one number into a list, as a number of entries. */
const entriesASorted = 10;

/**
 * Calls `pass` for each tree and blob whose smallest depth is below `depth`, which is at least 1 (GIT-081). Walks all
 * trees together, one depth after the other, so that it meets each at its smallest depth first, and opens it once.
 *
 * `pass` returns true if the object is new to it.
 */
export async function walkByDepth(
  walked: WalkedTrees,
  depth: number,
  pass: (object: number) => boolean,
): Promise<void> {
  let next = new GrowableUint32();
  const meet = (object: number, isTree: boolean): void => {
    if ((!isTree || !walked.isHeld(object)) && pass(object) && isTree) next.push(object);
  };
  for (const root of walked.roots) meet(root, true);
  // The entries of trees that are wanted by id have the depth of a root.
  let level: Uint32Array = Uint32Array.from(walked.given);
  for (let entries = 0; entries < depth; entries++) {
    // In pack order.
    for (const [from, to] of stretches(level.length)) {
      const some = level.subarray(from, to).sort();
      if (walked.work.spend(cost.entries, entriesASorted * some.length)) await walked.work.yield();
      for (const tree of some) await forEachEntry(walked, tree, (_, isTree, find) => meet(find(), isTree));
    }
    if (next.length === 0) return;
    level = next.toArray();
    next = new GrowableUint32();
  }
}
