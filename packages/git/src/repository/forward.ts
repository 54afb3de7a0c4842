import type { GraphSet } from '../graph/graph-set.ts';
import { paint } from '../graph/paint.ts';
import type { NewNodes, NodeReference } from '../graph/push-walk.ts';
import type { ObjectId } from '../object/object-id.ts';

/** Whether `old` is reached by a new value, so that moving a ref there loses nothing (a fast-forward). */
export function isForward(set: GraphSet, nodes: NewNodes, old: ObjectId, value: NodeReference): boolean {
  const goal = set.findNodeById(old);
  if (goal < 0) return false;
  const seen = new Set<number>();
  const stack = [value];
  const stored: number[] = [];
  while (stack.length > 0) {
    const node = stack.pop() as number;
    if (node < 0) {
      stored.push(-1 - node);
      continue;
    }
    if (seen.has(node)) continue;
    seen.add(node);
    stack.push(...(nodes.parents[node] ?? []));
  }
  const reached = new Uint8Array(set.nodeCount);
  paint(set, stored, reached, 1);
  return reached[goal] === 1;
}
