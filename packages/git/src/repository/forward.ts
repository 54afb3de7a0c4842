import type { GraphSet } from '../graph/graph-set.ts';
import { GrowableUint32 } from '../graph/growable.ts';
import type { NewNodes, NodeReference } from '../graph/make/push-walk.ts';
import { goalsMax, reachedGoals, type NodesOnTop } from '../graph/reach.ts';
import type { ObjectId } from '../object/object-id.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

/** Work for a node of a push, besides its parents, as a number of entries. */
const entriesANode = 6;

/** A ref that moves to a node. */
export interface Move {
  readonly old: ObjectId;
  readonly value: NodeReference;
}

/** Which of `values` reach `goal`: numbers of nodes, those of a push counted on from the stored ones. */
interface Question {
  readonly goal: number;
  readonly values: readonly number[];
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

  /**
   * Finds the answers for these moves, {@link goalsMax} old values a pass over the history. `farPasses`: how many passes
   * may go over what is stored already (50 ms where that means a million commits); what is not found by then counts as
   * not forward.
   */
  async prepare(moves: readonly Move[], work: Work, farPasses: number = Infinity): Promise<void> {
    let open = this.#questions(moves);
    for (const [reach, passes] of [['near', Infinity] as const, ['far', farPasses] as const]) {
      const left: Question[] = [];
      for (let first = 0; first < Math.min(open.length, passes * goalsMax); first += goalsMax) {
        left.push(...(await this.#find(open.slice(first, first + goalsMax), reach, work)));
      }
      open = left;
    }
  }

  /** Tests if a new value reaches `old`, by the result of {@link ForwardTest.prepare}; false if it was not prepared. */
  isForward(old: ObjectId, value: NodeReference): boolean {
    return this.#known.get(this.#set.findNodeById(old))?.get(this.#number(value)) === true;
  }

  /** Returns the open questions, each old value once. */
  #questions(moves: readonly Move[]): Question[] {
    const values = new Map<number, number[]>();
    for (const { old, value } of moves) {
      const goal = this.#set.findNodeById(old);
      const number = this.#number(value);
      if (goal < 0 || this.#known.get(goal)?.has(number) === true) continue;
      const sharing = values.get(goal);
      if (sharing === undefined) values.set(goal, [number]);
      else sharing.push(number);
    }
    return Array.from(values, ([goal, asked]) => ({ goal, values: asked }));
  }

  /**
   * One pass; answers what did not reach its goal. `near`: only over what the push brings, by which nearly every move
   * reaches its old value; `far`: over all history, down to the pack of the oldest goal, since no node reaches one of a
   * newer pack than its own.
   */
  async #find(questions: readonly Question[], reach: 'near' | 'far', work: Work): Promise<Question[]> {
    this.#onTop ??= await inTurns(work, cost.entries, this.#nodesOnTop());
    const oldest = questions.reduce((least, { goal }) => Math.min(least, goal), Infinity);
    const reached = await reachedGoals(
      work,
      this.#set,
      questions.flatMap(({ values }) => values),
      questions.map(({ goal }) => [goal]),
      {
        onTop: this.#onTop,
        floor: reach === 'near' ? this.#set.nodeCount : this.#set.packOfNode(oldest).nodeStart,
      },
    );
    let at = 0;
    return questions.flatMap(({ goal, values }, bit) => {
      const answers = this.#known.get(goal) ?? new Map<number, boolean>();
      this.#known.set(goal, answers);
      for (const value of values) answers.set(value, (((reached[at++] as number) >>> bit) & 1) === 1);
      const left = values.filter((value) => answers.get(value) === false);
      return left.length === 0 ? [] : [{ goal, values: left }];
    });
  }

  #number(reference: NodeReference): number {
    return reference < 0 ? -1 - reference : this.#set.nodeCount + reference;
  }

  *#nodesOnTop(): Steps<NodesOnTop> {
    const { count } = this.#nodes;
    const parentStarts = new Uint32Array(count + 1);
    const parents = new GrowableUint32();
    let passed = 0;
    for (let node = 0; node < count; node++) {
      for (const parent of this.#nodes.parentsOf(node)) parents.push(this.#number(parent));
      parentStarts[node + 1] = parents.length;
      passed += entriesANode + parents.length - (parentStarts[node] as number);
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
    yield passed;
    return { parentStarts, parents: parents.values };
  }
}
