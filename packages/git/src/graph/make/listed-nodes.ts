import type { ListedNodes } from '../../pack/receive/receiving-threads.ts';
import { cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import { GrowableUint32 } from '../growable.ts';
import type { DraftNodes } from './draft-nodes.ts';

/** Nodes that a thread takes at once: neighbours share their trees. */
const nodesATurn = 256;

/** Takes nodes until none is left. Another thread may do the same. */
export function* takeNodes({ places, next }: Pick<ListedNodes, 'places' | 'next'>): Generator<number, void, undefined> {
  const { length } = places;
  for (let from = 0; (from = Atomics.add(next, 0, nodesATurn)) < length;) {
    for (let node = from; node < Math.min(from + nodesATurn, length); node++) yield node;
  }
}

/** Bytes of a node there, and of each of its parents. */
const nodeBytes = 12;
const parentBytes = 4;
/** Bytes of the largest tables: they are copied twice on their way. */
const bytesMax = 8 * 1024 * 1024;

/** The drafts of ranks, in tables for another thread. Undefined: they are too large for it. */
export async function listedNodes(
  drafts: DraftNodes,
  order: Uint32Array,
  ranks: Uint32Array,
  work: Work,
): Promise<ListedNodes | undefined> {
  const parentsMax = (bytesMax - nodeBytes * ranks.length) / parentBytes;
  if (parentsMax < 0) return undefined;
  const places = new Uint32Array(ranks.length);
  const trees = new Int32Array(ranks.length);
  const parentStarts = new Uint32Array(ranks.length + 1);
  const parentTrees = new GrowableUint32(ranks.length + 16);
  for (const [i, rank] of ranks.entries()) {
    const node = order[rank] as number;
    if (work.spend(cost.entries, 4 + drafts.parentCount(node))) await work.yield();
    places[i] = drafts.place(node);
    trees[i] = drafts.tree(node);
    for (const tree of drafts.parentTrees(node)) parentTrees.push(tree);
    if (parentTrees.length > parentsMax) return undefined;
    parentStarts[i + 1] = parentTrees.length;
  }
  const next = new Int32Array(new SharedArrayBuffer(4));
  return { places, trees, parentStarts, parentTrees: parentTrees.toArray(), next };
}
