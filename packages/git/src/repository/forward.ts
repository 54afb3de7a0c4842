import type { GraphSet } from '../graph/graph-set.ts';
import { GrowableUint32 } from '../graph/growable.ts';
import type { NewNodes, NodeReference } from '../graph/push-walk.ts';
import { goalsMax, reachedGoals, type NodesOnTop } from '../graph/reach.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { Turns } from '../turns.ts';

/** A ref that is moved to a node. */
export interface Move {
  readonly old: ObjectId;
  readonly value: NodeReference;
}

/**
 * Tells which moves of refs lose nothing, since the new value reaches the old one (fast-forwards); one object a push.
 *
 * A push may have thousands of commands over one long history: {@link ForwardTest.prepare} answers many in one pass.
 */
export class ForwardTest {
  readonly #set: GraphSet;
  readonly #nodes: Pick<NewNodes, 'count' | 'parentsOf'>;
  #onTop: NodesOnTop | undefined;
  /** By old node, then by new one. */
  readonly #known: Map<number, Map<number, boolean>> = new Map();

  constructor(set: GraphSet, nodes: Pick<NewNodes, 'count' | 'parentsOf'>) {
    this.#set = set;
    this.#nodes = nodes;
  }

  /** Finds the answers for these moves, {@link goalsMax} old values a pass over the history. */
  async prepare(moves: readonly Move[], turns: Turns): Promise<void> {
    const values = new Map<number, number[]>();
    for (const { old, value } of moves) {
      const goal = this.#set.findNodeById(old);
      const number = this.#number(value);
      if (goal < 0 || this.#known.get(goal)?.has(number) === true) continue;
      const sharing = values.get(goal);
      if (sharing === undefined) values.set(goal, [number]);
      else sharing.push(number);
    }
    const goals = [...values.keys()];
    for (let first = 0; first < goals.length; first += goalsMax) {
      if (first > 0) await turns.pass();
      const batch = goals.slice(first, first + goalsMax);
      this.#find(
        batch,
        batch.map((goal) => values.get(goal) as number[]),
      );
    }
  }

  /** Whether `old` is reached by a new value; a pass of its own where that was not prepared. */
  isForward(old: ObjectId, value: NodeReference): boolean {
    const goal = this.#set.findNodeById(old);
    if (goal < 0) return false;
    const number = this.#number(value);
    const known = this.#known.get(goal)?.get(number);
    if (known !== undefined) return known;
    this.#find([goal], [[number]]);
    return this.#known.get(goal)?.get(number) ?? false;
  }

  #find(goals: readonly number[], values: readonly (readonly number[])[]): void {
    this.#onTop ??= this.#nodesOnTop();
    const asked = values.flat();
    const reached = reachedGoals(
      this.#set,
      asked,
      goals.map((goal) => [goal]),
      this.#onTop,
    );
    let at = 0;
    goals.forEach((goal, bit) => {
      const answers = this.#known.get(goal) ?? new Map<number, boolean>();
      this.#known.set(goal, answers);
      for (const value of values[bit] ?? []) answers.set(value, (((reached[at++] as number) >>> bit) & 1) === 1);
    });
  }

  #number(reference: NodeReference): number {
    return reference < 0 ? -1 - reference : this.#set.nodeCount + reference;
  }

  #nodesOnTop(): NodesOnTop {
    const { count } = this.#nodes;
    const parentStarts = new Uint32Array(count + 1);
    const parents = new GrowableUint32();
    for (let node = 0; node < count; node++) {
      for (const parent of this.#nodes.parentsOf(node)) parents.push(this.#number(parent));
      parentStarts[node + 1] = parents.length;
    }
    return { parentStarts, parents: parents.values };
  }
}
