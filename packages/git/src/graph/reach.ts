import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';

/** Nodes that come on top of a set's, numbered from its `nodeCount` on: their parents as flat tables, like the set's. */
export interface NodesOnTop {
  readonly parentStarts: Uint32Array;
  readonly parents: Uint32Array;
}

/** Options of a walk over parents. */
export interface ReachOptions {
  /** Default: none. */
  readonly onTop?: NodesOnTop | undefined;
  /**
   * Nodes below this number are not followed, for callers who know that no goal is behind them, or need none. Default
   * 0.
   */
  readonly floor?: number;
  /** Nodes that are not gone behind. Default: none. */
  readonly cuts?: Iterable<number>;
}

/** Entries that each look at a node on the way counts for. */
const entriesAVisit = 3;

/** How many goals one pass can tell apart. */
export const goalsMax = 32;

/**
 * Finds the goals that nodes reach over parents. `goals` are up to {@link goalsMax} lists of nodes, with one bit each.
 * The result has, for each node of `from`, the bits of the goals that it reaches, itself included.
 *
 * Visits each node once for any number of `from`, and does not follow a node that reaches every goal. A node that is
 * not followed may still be a goal.
 */
export function reachedGoals(
  work: Work,
  set: GraphSet,
  from: readonly number[],
  goals: readonly (readonly number[])[],
  options: ReachOptions = {},
): Promise<Uint32Array> {
  return inTurns(work, cost.entries, reaching(set, from, goals, options));
}

function* reaching(
  set: GraphSet,
  from: readonly number[],
  goals: readonly (readonly number[])[],
  { onTop, floor = 0, cuts = [] }: ReachOptions,
): Steps<Uint32Array> {
  const { nodeCount, parentStarts, parents } = set;
  const masks = new Uint32Array(nodeCount + (onTop === undefined ? 0 : onTop.parentStarts.length - 1));
  goals.forEach((nodes, bit) => {
    for (const node of nodes) masks[node] = (masks[node] as number) | (1 << bit);
  });
  const all = goals.length === goalsMax ? 0xffff_ffff : 2 ** goals.length - 1;
  const visited = new Uint8Array(masks.length);
  for (const node of cuts) visited[node] = 1;
  /** Nodes from the start of the walk to the current one, and for each the place of its next parent. */
  const path: number[] = [];
  const places: number[] = [];
  const enter = (node: number): void => {
    visited[node] = 1;
    path.push(node);
    places.push(((node < nodeCount ? parentStarts[node] : onTop?.parentStarts[node - nodeCount]) as number) - 1);
  };
  let passed = 0;
  for (const start of from) {
    if (start >= floor && visited[start] === 0) enter(start);
    while (path.length > 0) {
      passed += entriesAVisit;
      if (passed >= entriesAStop) {
        yield passed;
        passed = 0;
      }
      const depth = path.length - 1;
      const node = path[depth] as number;
      const place = (places[depth] as number) + 1;
      const own = node >= nodeCount;
      const end = (own ? onTop?.parentStarts[node - nodeCount + 1] : parentStarts[node + 1]) as number;
      if (masks[node] === all || place === end) {
        path.pop();
        places.pop();
        const child = path[depth - 1];
        if (child !== undefined) masks[child] = (masks[child] as number) | (masks[node] as number);
        continue;
      }
      places[depth] = place;
      const parent = (own ? onTop?.parents[place] : parents[place]) as number;
      if (parent >= floor && visited[parent] === 0) enter(parent);
      else masks[node] = (masks[node] as number) | (masks[parent] as number);
    }
  }
  yield passed + from.length;
  return Uint32Array.from(from, (node) => masks[node] as number);
}
