import { writeGraphFile } from '../graph/graph-file.ts';
import { newPackGraph } from '../graph/make/new-graph.ts';
import { closedFlag, type PackGraph } from '../graph/pack-graph.ts';
import type { NewNodes } from '../graph/make/push-walk.ts';
import { compareObjectIds, objectIdBytes } from '../object/object-id.ts';
import { rowPackMax, type IncomingPack, type MemoryShare } from '../pack/receive/incoming-pack.ts';
import { newPackId } from '../ports/pack-store.ts';
import type { NewPack } from '../ports/repo-state.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { inBlocks } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { copyPack } from './copy-pack.ts';
import type { PushPlaces } from './places/push-places.ts';

/** Every single row must stay below this. */
const rowFileMax = 1_900_000;

/** A pushed pack in the form for a manifest, and the values that identify its graph file. */
export interface MadePack {
  readonly pack: NewPack;
  /** The SHA-1 that ends the graph file. */
  readonly graphChecksum: Uint8Array;
  /** True if it is a second pack in the store, next to the received one, which is still read. */
  readonly isCopy: boolean;
}

/** A received pack, with the objects around it. */
export interface ReceivedPack {
  readonly view: RepositoryView;
  readonly places: PushPlaces;
  readonly pack: IncomingPack;
  readonly nodes: NewNodes;
  readonly memory: MemoryShare;
}

/** Sizes in bytes of the files of a pushed pack. */
export type NewSizes = Pick<NewPack, 'packSize' | 'idxSize' | 'graphSize'>;

/**
 * Makes the graph of a pushed pack, and stores the pack unless it is small. `exact` of the result tells if the pack has
 * exactly what its nodes reach; the caller decides if that stays valid. `check` may refuse the pack for its sizes
 * before anything is stored.
 *
 * `before` is the result for an older manifest. Its stored files are reused if the graph is the same. Otherwise they
 * are made again, since objects that it leaned on may be gone or elsewhere, and an older copy is removed. The received
 * pack stays, since it may be read once more.
 */
export async function makeNewPack(
  received: ReceivedPack,
  check: (sizes: NewSizes) => Promise<void>,
  before?: MadePack,
): Promise<MadePack> {
  const { view, pack, memory } = received;
  const { engine, repository, work } = view;
  const graph = await graphOf(received);
  const graphFile = await writeGraphFile(graph, engine.codec, work);
  const graphChecksum = graphFile.slice(-objectIdBytes);
  const known = {
    exact: view.snapshot.packs.length === 0 && (await isExact(graph, work)),
    after: view.snapshot.packs.at(-1)?.position ?? 0,
  };
  if (before !== undefined && compareObjectIds(before.graphChecksum, 0, graphChecksum, 0) === 0) {
    return { ...before, pack: { ...before.pack, ...known } };
  }
  const idx = await pack.idx();
  await check({ packSize: pack.packSize, idxSize: idx.length, graphSize: graphFile.length });
  const isStored = before?.pack.where === 'store';
  const isSmall =
    !isStored &&
    pack.bytes !== undefined &&
    pack.packSize <= rowPackMax &&
    idx.length < rowFileMax &&
    graphFile.length < rowFileMax;
  // The store does not know packs in rows.
  const id = isSmall
    ? newPackId()
    : isStored
      ? await copyPack(repository.packs, before.pack.id, pack.packSize, memory)
      : await pack.keep();
  if (!isSmall) {
    await repository.packs.put(id, 'idx', [idx]);
    await repository.packs.put(id, 'graph', [graphFile]);
  }
  if (before?.isCopy === true) await repository.packs.remove(before.pack.id).catch(() => {});
  const record = {
    id,
    objects: pack.index.count,
    packSize: pack.packSize,
    idxSize: idx.length,
    graphSize: graphFile.length,
    borrowed: 'no' as const,
    ...known,
  };
  engine.indexes.set(id, pack.index);
  engine.graphs.set(id, graph);
  if (!isSmall) return { pack: { ...record, where: 'store' }, graphChecksum, isCopy: isStored };
  const files = { pack: joined(pack.bytes ?? []), idx, graph: graphFile };
  return { pack: { ...record, where: 'rows', files }, graphChecksum, isCopy: false };
}

function graphOf({ view, places, pack, nodes }: ReceivedPack): Promise<PackGraph> {
  const id = new Uint8Array(objectIdBytes);
  const isFirst = view.set.packs.length === 0;
  return newPackGraph(
    {
      packChecksum: pack.checksum,
      count: pack.index.count,
      kinds: pack.kinds,
      offsets: pack.index.offsets,
      bases: pack.bases,
      sizes: pack.sizes,
      home(ordinal) {
        if (isFirst) return ordinal;
        pack.index.copyId(ordinal, id, 0);
        return places.find(id, 0);
      },
      copyId: (place, target, at) => places.copyId(place, target, at),
      copyNodeId: (node, target, at) => places.copyNodeId(node, target, at),
    },
    nodes,
    view.work,
  );
}

/** Tests if every object of the pack is a node or listed by one, so that the pack has exactly what its nodes reach. */
async function isExact({ ext, kinds, count, nodeObjects }: PackGraph, work: Work): Promise<boolean> {
  if (ext.length > 0) return false;
  const isNode = new Uint8Array(count);
  for (const object of nodeObjects) isNode[object] = 1;
  let isAll = true;
  await inBlocks(work, count, (from, to) => {
    for (let i = from; i < to && isAll; i++) isAll = ((kinds[i] as number) & closedFlag) !== 0 || isNode[i] === 1;
  });
  return isAll;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
