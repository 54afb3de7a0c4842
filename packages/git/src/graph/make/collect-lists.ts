import type { Codec } from '../../ports/codec.ts';
import { cost } from '../../work/costs.ts';
import { inBlocks } from '../../work/loops.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import type { Work } from '../../work/scheduler.ts';
import { GrowableUint32 } from '../growable.ts';
import type { DraftNodes } from './draft-nodes.ts';
import { incomplete, IntroducedLists } from './introduced.ts';
import { listedNodes, takeNodes } from './listed-nodes.ts';
import type { NewNodes, WalkOptions, WalkPlaces } from './push-walk.ts';

/** The lists of new nodes, by rank. */
export interface CollectedLists extends Pick<NewNodes, 'listStarts' | 'listEnds' | 'lists'> {
  /** By rank: 1 if the node reaches something that is missing. Undefined: none does. */
  readonly failed: Uint8Array | undefined;
}

/** Bytes of one list entry, in the list and in the graph. */
const entryBytes = 8;

/**
 * Collects what each new node introduces. `order` has the nodes by rank.
 *
 * @throws {NotEnoughMemoryError}
 */
export async function collectLists(
  codec: Codec,
  places: WalkPlaces,
  drafts: DraftNodes,
  order: Uint32Array,
  { work, memoryMax, memory, tables, collectBeside }: WalkOptions,
): Promise<CollectedLists> {
  const introduced = new IntroducedLists(codec, places, work, memory);
  const lists = new GrowableUint32(drafts.count * 4 + 16);
  const listStarts = new Uint32Array(drafts.count);
  const listEnds = new Uint32Array(drafts.count);
  let failed: Uint8Array | undefined;
  const listsMax = (memoryMax - drafts.memory) / entryBytes;

  const enter = (rank: number, start: number, end: number): void => {
    listStarts[rank] = start;
    listEnds[rank] = end;
    const needed = drafts.memory + lists.length * entryBytes;
    if (lists.length > listsMax) throw tooManyNodes(needed, memoryMax);
    tables?.set(needed);
  };
  const fail = (rank: number): void => {
    failed ??= new Uint8Array(order.length);
    failed[rank] = 1;
  };
  const collect = async (rank: number): Promise<void> => {
    const node = order[rank] as number;
    if (work.spend(cost.edges, 16 + drafts.parentCount(node))) await work.yield();
    const before = lists.length;
    const pending = {
      place: drafts.place(node),
      kind: drafts.kind(node),
      tree: drafts.tree(node),
      parentTrees: drafts.parentTrees(node),
    };
    if ((await introduced.collect(pending, lists)) === incomplete) {
      fail(rank);
      lists.length = before;
    }
    enter(rank, before, lists.length);
  };

  const ranks = await readingOrder(drafts, order, places.ownPlaces, work);
  const nodes = collectBeside === undefined ? undefined : await listedNodes(drafts, order, ranks, work);
  if (collectBeside === undefined || nodes === undefined) {
    for (const rank of ranks) await collect(rank);
  } else {
    const sharing = collectBeside(nodes);
    // A failure is seen when this thread has done its own share.
    sharing.catch(() => {});
    for (const number of takeNodes(nodes)) {
      const before = lists.length;
      try {
        await collect(ranks[number] as number);
      } catch (error) {
        if (!(error instanceof NotEnoughMemoryError)) throw error;
        // The other thread holds memory until it has done the rest.
        await sharing;
        lists.length = before;
        await collect(ranks[number] as number);
      }
    }
    const share = await sharing;
    // Without one, this thread has taken all.
    if (share !== undefined) {
      for (const number of share.left) await collect(ranks[number] as number);
      for (const number of share.incomplete) fail(ranks[number] as number);
      const base = lists.length;
      lists.append(share.lists);
      for (const [i, number] of share.nodes.entries()) {
        if (work.spend(cost.edges)) await work.yield();
        enter(ranks[number] as number, base + (share.ends[i - 1] ?? 0), base + (share.ends[i] as number));
      }
    }
  }
  introduced.release();
  return { listStarts, listEnds, lists: lists.toArray(), failed };
}

/**
 * Ranks of nodes that name nothing that is missing, in the order in which the pack holds their trees, then those of
 * trees that the pack does not hold. In a pack a delta stands behind its base, so each tree is read soon after the tree
 * that it is made of.
 */
async function readingOrder(
  drafts: DraftNodes,
  order: Uint32Array,
  ownPlaces: number,
  work: Work,
): Promise<Uint32Array> {
  const linked = await drafts.linked(order, work);
  // By place: the first of its ranks; by rank: the next one of the same place. Both plus one.
  const first = new Uint32Array(ownPlaces + 1);
  const next = new Uint32Array(order.length);
  await inBlocks(work, order.length, (from, to) => {
    for (let i = from; i < to; i++) {
      const rank = order.length - 1 - i;
      const node = order[rank] as number;
      if (linked[node] !== 1) continue;
      const tree = drafts.tree(node);
      const place = tree < 0 ? ownPlaces : Math.min(tree, ownPlaces);
      next[rank] = first[place] as number;
      first[place] = rank + 1;
    }
  });
  const ranks = new Uint32Array(order.length);
  let filled = 0;
  await inBlocks(work, first.length, (from, to) => {
    for (let place = from; place < to; place++) {
      for (let rank = first[place] as number; rank > 0; rank = next[rank - 1] as number) ranks[filled++] = rank - 1;
    }
  });
  return ranks.subarray(0, filled);
}

/** The tables of new nodes would take more memory than one request may. */
export function tooManyNodes(needed: number, limit: number): NotEnoughMemoryError {
  return new NotEnoughMemoryError({ needed, limit, setting: 'request_memory_max' });
}
