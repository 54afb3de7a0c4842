import { GrowableUint32 } from '../graph/growable.ts';
import { forEachEntry, type WalkedTrees } from './walked-trees.ts';

/**
 * Tells `pass` each tree and blob whose smallest depth is below `depth`, which is 1 or more (GIT-081). All trees are
 * gone through together, one depth after the other, so that each is met at its smallest depth first and opened once.
 *
 * `pass` answers whether it is told of the object for the first time.
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
  // The entries of what is wanted by id have the depth of a root.
  let level: Uint32Array = Uint32Array.from(walked.given);
  for (let entries = 0; entries < depth; entries++) {
    // As they lie in packs.
    for (const tree of level.sort()) await forEachEntry(walked, tree, (_, isTree, find) => meet(find(), isTree));
    if (next.length === 0) return;
    level = next.toArray();
    next = new GrowableUint32();
  }
}
