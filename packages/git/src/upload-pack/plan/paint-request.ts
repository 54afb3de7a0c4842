import { cost } from '../../work/costs.ts';
import { inTurns, stretches, type Steps } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import type { FetchRequestNodes } from './fetch-plan.ts';
import type { GraphSet } from '../../graph/graph-set.ts';
import { noObject } from '../../graph/pack-graph.ts';
import { paint } from '../../graph/paint.ts';

/** Colour of what client and server have in common. */
export const common = 1;
/** Colour of what the client wants and lacks. */
export const wanted = 2;

/** Which commits and tags a fetch sends, and where trees must be walked since lists lean on parents that are cut off. */
export interface PaintedRequest {
  /** By node: {@link common}, {@link wanted}, or 0. */
  readonly colours: Uint8Array;
  /** How many nodes are wanted. */
  readonly sent: number;
  /** Trees of common commits whose parents the client lacks (GIT-066). */
  readonly heldTrees: readonly number[];
  /** Trees of commits that are sent to a client that neither gets nor has all of their parents (GIT-065). */
  readonly sentTrees: readonly number[];
}

/**
 * Colours the nodes of a request. What is common ends at the client's boundary, and what is sent at the part of it that
 * stays, and at the new one. What gets `unshallow` is common without its parents, which are wanted.
 */
export async function paintRequest(work: Work, set: GraphSet, request: FetchRequestNodes): Promise<PaintedRequest> {
  const { clientShallow = [], bounds = { cuts: [], unshallowed: [] } } = request;
  if (clientShallow.length === 0 && bounds.cuts.length === 0) {
    const colours = await paintCommon(work, set, request.common);
    const sent = await paint(work, set, request.wants, colours, wanted);
    return { colours, sent, heldTrees: [], sentTrees: [] };
  }
  const colours = new Uint8Array(set.nodeCount);
  const clientCuts = marks(set, clientShallow);
  await paint(work, set, request.common, colours, common, clientCuts);
  await paint(work, set, bounds.unshallowed, colours, common, clientCuts);
  const sentCuts = marks(set, [...clientShallow, ...bounds.cuts]);
  // What gets `unshallow` is common by now, so nothing is reached through it.
  let sent = await paint(work, set, request.wants, colours, wanted, sentCuts);
  sent += await paint(work, set, parentsOf(set, bounds.unshallowed), colours, wanted, sentCuts);
  return {
    colours,
    sent,
    heldTrees: await inTurns(
      work,
      cost.entries,
      treesOf(set, clientCuts, colours, common, (parent) => parent === common),
    ),
    sentTrees: await inTurns(
      work,
      cost.entries,
      treesOf(set, sentCuts, colours, wanted, (parent) => parent !== 0),
    ),
  };
}

/** Common nodes of a request whose colours are remembered, at most. */
const rememberedMax = 64;

/**
 * The colours for the last common nodes of a set: after a push, most clients come from the same commit. A set counts
 * their memory.
 */
const lastCommon = new WeakMap<GraphSet, { readonly key: string; readonly colours: Uint8Array }>();

/** Returns new colours of what is common without cuts. */
async function paintCommon(work: Work, set: GraphSet, nodes: readonly number[]): Promise<Uint8Array> {
  const key = nodes.length > rememberedMax ? undefined : nodes.toSorted((a, b) => a - b).join();
  const known = lastCommon.get(set);
  if (known !== undefined && known.key === key) return known.colours.slice();
  const colours = new Uint8Array(set.nodeCount);
  await paint(work, set, nodes, colours, common);
  if (key !== undefined && key !== '') lastCommon.set(set, { key, colours: colours.slice() });
  return colours;
}

/** Entries that a cut node counts for. */
const entriesACut = 20;

/** Trees of the cut nodes of a colour that have a parent whose colour does not do. */
function* treesOf(
  set: GraphSet,
  cuts: Uint8Array,
  colours: Uint8Array,
  colour: number,
  does: (parentColour: number) => boolean,
): Steps<readonly number[]> {
  const { parentStarts, parents } = set;
  const trees: number[] = [];
  for (const [from, to] of stretches(set.nodeCount)) {
    let passed = to - from;
    for (let node = from; node < to; node++) {
      if (cuts[node] === 0 || colours[node] !== colour) continue;
      const own = parents.subarray(parentStarts[node] as number, parentStarts[node + 1] as number);
      passed += entriesACut + own.length;
      const tree = set.nodeTrees[node] as number;
      if (tree !== noObject && !own.every((parent) => does(colours[parent] as number))) trees.push(tree);
    }
    yield passed;
  }
  return trees;
}

function* parentsOf(set: GraphSet, nodes: readonly number[]): Generator<number, void, undefined> {
  const { parentStarts, parents } = set;
  for (const node of nodes) yield* parents.subarray(parentStarts[node] as number, parentStarts[node + 1] as number);
}

function marks(set: GraphSet, nodes: readonly number[]): Uint8Array {
  const marked = new Uint8Array(set.nodeCount);
  for (const node of nodes) marked[node] = 1;
  return marked;
}
