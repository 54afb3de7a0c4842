import { cost } from '../work/costs.ts';
import { entriesAStop, inTurns, type Steps } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';

/**
 * Colours the nodes that `from` reach over parents, themselves included, in `colours` (one byte per node). Skips nodes
 * that already have a colour, and nodes that only those reach. Colours nodes marked in `cuts`, but does not continue
 * through them.
 *
 * @returns the number of coloured nodes.
 */
export function paint(
  work: Work,
  set: GraphSet,
  from: Iterable<number>,
  colours: Uint8Array,
  colour: number,
  cuts?: Uint8Array,
): Promise<number> {
  return inTurns(work, cost.entries, painting(set, from, colours, colour, cuts));
}

/** The same in steps. */
export function* painting(
  { parentStarts, parents }: GraphSet,
  from: Iterable<number>,
  colours: Uint8Array,
  colour: number,
  cuts?: Uint8Array,
): Steps<number> {
  const stack: number[] = [];
  let painted = 0;
  let passed = 0;
  for (const start of from) {
    passed++;
    if (colours[start] === 0) {
      colours[start] = colour;
      stack.push(start);
    }
    while (stack.length > 0) {
      const node = stack.pop() as number;
      painted++;
      const first = parentStarts[node] as number;
      const end = cuts?.[node] === 1 ? first : (parentStarts[node + 1] as number);
      for (let i = first; i < end; i++) {
        const parent = parents[i] as number;
        if (colours[parent] !== 0) continue;
        colours[parent] = colour;
        stack.push(parent);
      }
      passed += 1 + end - first;
      if (passed < entriesAStop) continue;
      yield passed;
      passed = 0;
    }
  }
  yield passed;
  return painted;
}
