import type { FetchPlan } from '../graph/fetch-plan.ts';
import type { GraphSet } from '../graph/graph-set.ts';
import { hasLargeReadings, readingMemory, usualReading } from '../repository/reading-memory.ts';
import { hasBase, type PackForm } from './sent-bases.ts';

/**
 * Bytes that it takes at most to send one object of a plan whole, since the client has no base for its stored delta: to
 * read it, or to compress it again. 0 where none takes more than is usual.
 */
export function wholeMemory(set: GraphSet, plan: FetchPlan, form: PackForm): number {
  const { objects } = plan;
  let most = 0;
  for (let rank = 0; rank < objects.length;) {
    const pack = set.packOfObject(objects[rank] as number);
    const { graph, objectStart } = pack;
    const end = objectStart + graph.count;
    const isLarge = hasLargeReadings(graph);
    for (; rank < objects.length && (objects[rank] as number) < end; rank++) {
      const ordinal = (objects[rank] as number) - objectStart;
      const base = graph.bases[ordinal] as number;
      if (!isLarge || base < 0) continue;
      // What is compressed comes in pieces, which are then joined.
      const bytes = Math.max(readingMemory(graph, ordinal), 3 * (graph.sizes[ordinal] as number));
      if (bytes <= Math.max(most, usualReading) || hasBase(plan, form, rank, set.home(pack, base))) continue;
      most = bytes;
    }
  }
  return most;
}
