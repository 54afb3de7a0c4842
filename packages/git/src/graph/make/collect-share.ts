import type { KindNumber } from '../../object/kind.ts';
import { isLargeReading, readingMemory, usualReading } from '../../memory/reading-memory.ts';
import { PackTable } from '../../pack/pack-table.ts';
import type { PackHelper } from '../../pack/receive/pack-helper.ts';
import type { ListJob, ListShare } from '../../pack/receive/receiving-threads.ts';
import { GrowableUint32 } from '../growable.ts';
import { incomplete, IntroducedLists } from './introduced.ts';
import { takeNodes } from './listed-nodes.ts';

/** Entries of lists in 8 MiB, which are copied once. Nodes beyond them are left. */
const entriesMax = 2 * 1024 * 1024;

/** A tree is too large for this thread. */
class LargeTreeError extends Error {}

/** Does the share of a thread in the lists of nodes, for a pack that leans on nothing (GIT-195). */
export async function collectShare(job: ListJob, { tables, reader, codec, work }: PackHelper): Promise<ListShare> {
  const offsets = tables.offsets.subarray(0, tables.count + 1);
  const index = new PackTable(tables.oids, offsets, job.byId);
  const hasLarge = isLargeReading(job.largest);
  const introduced = new IntroducedLists(
    codec,
    {
      ownPlaces: tables.count,
      find: (ids, at) => index.find(ids, at),
      kind: (place) => tables.kinds[place] as KindNumber,
      read(place) {
        if (hasLarge && readingMemory(tables, place) > usualReading) throw new LargeTreeError();
        return reader.read(place);
      },
    },
    work,
  );
  const share = {
    nodes: new GrowableUint32(),
    ends: new GrowableUint32(),
    lists: new GrowableUint32(),
    incomplete: new GrowableUint32(),
    left: new GrowableUint32(),
  };
  for (const node of takeNodes(job)) {
    const before = share.lists.length;
    if (before > entriesMax) {
      share.left.push(node);
      continue;
    }
    try {
      const place = job.places[node] as number;
      const outcome = await introduced.collect(
        {
          place,
          kind: tables.kinds[place] as KindNumber,
          tree: job.trees[node] as number,
          parentTrees: [...job.parentTrees.subarray(job.parentStarts[node], job.parentStarts[node + 1])],
        },
        share.lists,
      );
      if (outcome === incomplete) {
        share.lists.length = before;
        share.incomplete.push(node);
      }
      share.nodes.push(node);
      share.ends.push(share.lists.length);
    } catch (error) {
      if (!(error instanceof LargeTreeError)) throw error;
      share.lists.length = before;
      share.left.push(node);
    }
  }
  return {
    nodes: share.nodes.toArray(),
    ends: share.ends.toArray(),
    lists: share.lists.toArray(),
    incomplete: share.incomplete.toArray(),
    left: share.left.toArray(),
  };
}
