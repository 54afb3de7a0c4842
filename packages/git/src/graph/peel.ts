import { commitKind, tagKind } from '../object/kind.ts';
import type { GraphSet } from './graph-set.ts';

/** The node at the end of a chain of tags; the node itself if it is no tag. A tag of a tree or blob is such an end too. */
export function peel(set: GraphSet, node: number): number {
  let end = node;
  for (let target = tagTarget(set, end); target >= 0; target = tagTarget(set, end)) end = target;
  return end;
}

/** The node a tag points to; -1 for a tag of a tree or blob, and for what is no tag. */
export function tagTarget(set: GraphSet, node: number): number {
  if (set.nodeKind(node) !== tagKind) return -1;
  const start = set.parentStarts[node] as number;
  return start < (set.parentStarts[node + 1] as number) ? (set.parents[start] as number) : -1;
}

/** Whether a node peels to a commit. */
export function peelsToCommit(set: GraphSet, node: number): boolean {
  return set.nodeKind(peel(set, node)) === commitKind;
}
