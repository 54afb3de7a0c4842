import type { FetchPlan } from '../plan/fetch-plan.ts';
import type { GraphSet } from '../../graph/graph-set.ts';
import type { PackGraph } from '../../graph/pack-graph.ts';
import { hasLargeReadings, readingMemory, usualReading } from '../../memory/reading-memory.ts';
import { cost } from '../../work/costs.ts';
import { entriesAStop, inTurns, type Steps } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import { hasBase, type PackForm } from './sent-bases.ts';

/** Entries that looking for the base of a delta counts for. */
const entriesADelta = 10;

/**
 * Bytes that it takes at most to send one object of a plan whole, since the client has no base for its stored delta: to
 * read it; it is compressed in parts. 0 where none takes more than is usual.
 */
export function wholeMemory(set: GraphSet, plan: FetchPlan, form: PackForm, work: Work): Promise<number> {
  return inTurns(work, cost.entries, largestWhole(set, plan, form));
}

function* largestWhole(set: GraphSet, plan: FetchPlan, form: PackForm): Steps<number> {
  const { objects } = plan;
  let most = 0;
  for (let rank = 0; rank < objects.length;) {
    const pack = set.packOfObject(objects[rank] as number);
    const { graph, objectStart } = pack;
    const end = objectStart + graph.count;
    const isLarge = hasLargeReadings(graph);
    let passed = 0;
    for (; rank < objects.length && (objects[rank] as number) < end; rank++) {
      const ordinal = (objects[rank] as number) - objectStart;
      const base = graph.bases[ordinal] as number;
      if (++passed >= entriesAStop) {
        yield passed;
        passed = 0;
      }
      if (!isLarge || base < 0) continue;
      passed += entriesADelta;
      if (hasBase(plan, form, rank, set.home(pack, base))) continue;
      passed += chainLength(graph, ordinal);
      most = Math.max(most, readingMemory(graph, ordinal));
    }
    yield passed;
  }
  return most > usualReading ? most : 0;
}

/** How many deltas the bytes of an object hang on. */
function chainLength({ bases }: PackGraph, ordinal: number): number {
  let length = 0;
  for (let one = ordinal; one >= 0 && length < bases.length; one = bases[one] as number) length++;
  return length;
}
