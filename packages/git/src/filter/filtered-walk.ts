import { walkByDepth } from './depth-walk.ts';
import type { ObjectFilter } from './object-filter.ts';
import { walkByPatterns } from './sparse-walk.ts';
import type { WalkedTrees } from './walked-trees.ts';

/**
 * Which trees and blobs all the placed parts of a filter let through (GIT-081, GIT-083, GIT-084): some place of each
 * does for a part. One walk a part.
 */
export async function walkFiltered(
  { placed }: Pick<ObjectFilter, 'placed'>,
  walked: WalkedTrees,
): Promise<(object: number) => boolean> {
  await walked.trees.loadIndexes();
  /** By object: the number of consecutive parts that include it. */
  const parts = new Uint8Array(walked.trees.set.objectCount);
  for (const [before, part] of placed.entries()) {
    if (part.kind === 'sparse') {
      await walkByPatterns(walked, part.matcher, (object) => {
        if (parts[object] === before) parts[object] = before + 1;
      });
      continue;
    }
    const met = new Uint8Array(parts.length);
    await walkByDepth(walked, part.depth, (object) => {
      if (met[object] === 1) return false;
      met[object] = 1;
      if (parts[object] === before) parts[object] = before + 1;
      return true;
    });
  }
  return (object) => parts[object] === placed.length;
}
