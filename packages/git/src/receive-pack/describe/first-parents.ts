import type { GraphSet } from '../../graph/graph-set.ts';
import type { NewNodes, NodeReference } from '../../graph/make/push-walk.ts';
import { goalsMax, reachedGoals } from '../../graph/reach.ts';
import type { ObjectId } from '../../object/object-id.ts';
import { cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';

/** A branch that gets a node as its new value. */
export interface BranchMove {
  /** Null: the branch is new. */
  readonly before: ObjectId | null;
  readonly after: NodeReference;
}

/** Commits that a branch gained over first parents, newest first. */
export interface FirstParents {
  /** At most {@link walkMax}. */
  readonly nodes: readonly NodeReference[];
  /** False: the end of the walk was not searched for, so there can be more commits. */
  readonly isKnown: boolean;
}

/** Maximum length of a walk (REPO-195): one more than an event has. */
export const walkMax = 21;
/** How often history is gone over for one push; 50 ms where that means a million commits. */
const passesMax = 32;

/** A walk whose end is not known yet. */
interface OpenWalk {
  readonly number: number;
  /** Node of the old value. */
  readonly before: number;
  readonly nodes: readonly NodeReference[];
  /** Nodes of the walk that the repository has already, in its order; the old value may reach them. */
  readonly stored: readonly number[];
}

/**
 * Walks from new values of branches over first parents, each until a commit that the old value reaches (REPO-195). What
 * the push brings cannot be reached, and where the walk meets the old value itself, that is its end: only for what was
 * moved back or aside does history have to be gone over.
 */
export async function firstParents(
  set: GraphSet,
  nodes: Pick<NewNodes, 'parentsOf'>,
  moves: readonly BranchMove[],
  work: Work,
): Promise<readonly FirstParents[]> {
  const walks: FirstParents[] = [];
  const open: OpenWalk[] = [];
  for (const [number, { before, after }] of moves.entries()) {
    if (work.spend(cost.steps)) await work.yield();
    const walk = walkFrom(set, nodes, after);
    const old = before === null ? -1 : set.findNodeById(before);
    const met = old < 0 ? -1 : walk.indexOf(-1 - old);
    const firstStored = walk.findIndex((node) => node < 0);
    const isOpen = old >= 0 && met < 0 && firstStored >= 0;
    walks.push({
      nodes: met < 0 ? walk.slice(0, isOpen ? firstStored : undefined) : walk.slice(0, met),
      isKnown: !isOpen,
    });
    if (isOpen)
      open.push({ number, before: old, nodes: walk, stored: walk.slice(firstStored).map((node) => -1 - node) });
  }
  for (const portion of portions(open).slice(0, passesMax)) {
    for (const [number, found] of await ended(set, portion, work)) walks[number] = { nodes: found, isKnown: true };
  }
  return walks;
}

function walkFrom(set: GraphSet, nodes: Pick<NewNodes, 'parentsOf'>, from: NodeReference): NodeReference[] {
  const walk: NodeReference[] = [];
  for (let node: NodeReference | undefined = from; node !== undefined && walk.length < walkMax;) {
    walk.push(node);
    node = node >= 0 ? nodes.parentsOf(node)[0] : storedParent(set, -1 - node);
  }
  return walk;
}

function storedParent({ parentStarts, parents }: GraphSet, node: number): NodeReference | undefined {
  const start = parentStarts[node] as number;
  return start < (parentStarts[node + 1] as number) ? -1 - (parents[start] as number) : undefined;
}

/** Number of walks whose ends one pass can find. */
function portions(open: readonly OpenWalk[]): readonly (readonly OpenWalk[])[] {
  const all: OpenWalk[][] = [];
  let goals = new Set<number>();
  for (const walk of open) {
    const together = new Set([...goals, ...walk.stored]);
    if (all.length === 0 || together.size > goalsMax) {
      all.push([]);
      goals = new Set(walk.stored);
    } else goals = together;
    all.at(-1)?.push(walk);
  }
  return all;
}

/** One pass. No node reaches one of a newer pack than its own, so that history is gone over to the oldest pack asked for. */
async function ended(
  set: GraphSet,
  walks: readonly OpenWalk[],
  work: Work,
): Promise<readonly (readonly [number, readonly NodeReference[]])[]> {
  const goals = [...new Set(walks.flatMap(({ stored }) => stored))];
  const bits = new Map(goals.map((node, bit) => [node, bit]));
  const oldest = goals.reduce((least, node) => Math.min(least, node), Infinity);
  const reached = await reachedGoals(
    work,
    set,
    walks.map(({ before }) => before),
    goals.map((node) => [node]),
    { floor: set.packOfNode(oldest).nodeStart },
  );
  return walks.map(({ number, nodes }, i) => {
    const mask = reached[i] as number;
    const end = nodes.findIndex((node) => node < 0 && ((mask >>> (bits.get(-1 - node) as number)) & 1) === 1);
    return [number, end < 0 ? nodes : nodes.slice(0, end)] as const;
  });
}
