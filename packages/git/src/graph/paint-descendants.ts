import type { GraphSet } from './graph-set.ts';

/** Extends a colouring (one byte a node, 1: coloured) to all nodes that reach a coloured one over parents. */
export function paintDescendants(set: GraphSet, colours: Uint8Array): void {
  const { parentStarts, parents, nodeCount } = set;
  const starts = new Uint32Array(nodeCount + 1);
  const edges = parentStarts[nodeCount] as number;
  for (let i = 0; i < edges; i++) starts[parents[i] as number] = (starts[parents[i] as number] as number) + 1;
  for (let node = 0, sum = 0; node <= nodeCount; node++) {
    sum += starts[node] as number;
    starts[node] = sum;
  }
  // Filled from the end of each node's stretch to its start.
  const children = new Uint32Array(edges);
  for (let node = 0; node < nodeCount; node++) {
    for (let i = parentStarts[node] as number; i < (parentStarts[node + 1] as number); i++) {
      const parent = parents[i] as number;
      starts[parent] = (starts[parent] as number) - 1;
      children[starts[parent] as number] = node;
    }
  }
  const stack: number[] = [];
  for (let node = 0; node < nodeCount; node++) if (colours[node] === 1) stack.push(node);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (let i = starts[node] as number; i < (starts[node + 1] as number); i++) {
      const child = children[i] as number;
      if (colours[child] === 1) continue;
      colours[child] = 1;
      stack.push(child);
    }
  }
}
