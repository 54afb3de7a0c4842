import type { GraphSet } from '../graph/graph-set.ts';
import { GrowableUint32 } from '../graph/growable.ts';
import type { NewNodes, NodeReference } from '../graph/push-walk.ts';
import { goalsMax, reachedGoals, type NodesOnTop } from '../graph/reach.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { Turns } from '../turns.ts';

/** A ref that is moved. */
export interface Move {
  readonly old: ObjectId;
  readonly value: NodeReference;
}

/**
 * Which of the moves lose nothing, since the new value reaches the old one (fast-forwards); in the order of the moves.
 *
 * A push may have thousands of commands over one long history, so {@link goalsMax} old values share a pass over it.
 */
export async function areForward(
  set: GraphSet,
  nodes: Pick<NewNodes, 'count' | 'parentsOf'>,
  moves: readonly Move[],
  turns: Turns,
): Promise<readonly boolean[]> {
  const forward = moves.map(() => false);
  const byGoal = new Map<number, number[]>();
  moves.forEach(({ old }, number) => {
    const goal = set.findNodeById(old);
    if (goal < 0) return;
    const sharing = byGoal.get(goal);
    if (sharing === undefined) byGoal.set(goal, [number]);
    else sharing.push(number);
  });
  const goals = [...byGoal.keys()];
  const onTop = goals.length === 0 ? undefined : nodesOnTop(set, nodes);
  for (let first = 0; first < goals.length; first += goalsMax) {
    if (first > 0) await turns.pass();
    const batch = goals.slice(first, first + goalsMax);
    const asked = batch.flatMap((goal, bit) => (byGoal.get(goal) as number[]).map((number) => ({ number, bit })));
    const values = asked.map(({ number }) => nodeNumber(set, (moves[number] as Move).value));
    const reached = reachedGoals(
      set,
      values,
      batch.map((goal) => [goal]),
      onTop,
    );
    asked.forEach(({ number, bit }, i) => {
      forward[number] = (((reached[i] as number) >>> bit) & 1) === 1;
    });
  }
  return forward;
}

function nodeNumber(set: GraphSet, reference: NodeReference): number {
  return reference < 0 ? -1 - reference : set.nodeCount + reference;
}

function nodesOnTop(set: GraphSet, nodes: Pick<NewNodes, 'count' | 'parentsOf'>): NodesOnTop {
  const parentStarts = new Uint32Array(nodes.count + 1);
  const parents = new GrowableUint32();
  for (let node = 0; node < nodes.count; node++) {
    for (const parent of nodes.parentsOf(node)) parents.push(nodeNumber(set, parent));
    parentStarts[node + 1] = parents.length;
  }
  return { parentStarts, parents: parents.values };
}
