import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, stretches, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';

/** Extends a colouring (one byte a node, 1: coloured) to all nodes that reach a coloured one over parents. */
export function paintDescendants(work: Work, set: GraphSet, colours: Uint8Array): Promise<void> {
  return inTurns(work, cost.entries, paintingDescendants(set, colours));
}

/** The same in steps. */
export function* paintingDescendants({ parentStarts, parents, nodeCount }: GraphSet, colours: Uint8Array): Steps<void> {
  const starts = new Uint32Array(nodeCount + 1);
  const edges = parentStarts[nodeCount] as number;
  for (const [from, to] of stretches(edges)) {
    for (let i = from; i < to; i++) starts[parents[i] as number] = (starts[parents[i] as number] as number) + 1;
    yield to - from;
  }
  for (let node = 0, sum = 0; node <= nodeCount; node++) {
    sum += starts[node] as number;
    starts[node] = sum;
  }
  // Filled from the end of each node's stretch to its start.
  const children = new Uint32Array(edges);
  let passed = 0;
  for (let node = 0; node < nodeCount; node++) {
    const end = parentStarts[node + 1] as number;
    for (let i = parentStarts[node] as number; i < end; i++) {
      const parent = parents[i] as number;
      starts[parent] = (starts[parent] as number) - 1;
      children[starts[parent] as number] = node;
      passed++;
    }
    if (++passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  const stack: number[] = [];
  for (let node = 0; node < nodeCount; node++) if (colours[node] === 1) stack.push(node);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const end = starts[node + 1] as number;
    for (let i = starts[node] as number; i < end; i++) {
      const child = children[i] as number;
      passed++;
      if (colours[child] === 1) continue;
      colours[child] = 1;
      stack.push(child);
    }
    if (++passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
}
