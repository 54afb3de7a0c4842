import type { GraphSet } from './graph-set.ts';

/**
 * Colours the nodes that `from` reach over parents, themselves included, in `colours` (one byte a node).
 * Nodes that already have any colour are left alone, and so is what only they reach; nodes marked in `cuts` are coloured,
 * but nothing is reached through them.
 *
 * @returns how many nodes were coloured.
 */
export function paint(
  set: GraphSet,
  from: Iterable<number>,
  colours: Uint8Array,
  colour: number,
  cuts?: Uint8Array,
): number {
  const { parentStarts, parents } = set;
  const stack: number[] = [];
  let painted = 0;
  for (const start of from) {
    if (colours[start] !== 0) continue;
    colours[start] = colour;
    stack.push(start);
    while (stack.length > 0) {
      const node = stack.pop() as number;
      painted++;
      if (cuts !== undefined && cuts[node] === 1) continue;
      const end = parentStarts[node + 1] as number;
      for (let i = parentStarts[node] as number; i < end; i++) {
        const parent = parents[i] as number;
        if (colours[parent] !== 0) continue;
        colours[parent] = colour;
        stack.push(parent);
      }
    }
  }
  return painted;
}
