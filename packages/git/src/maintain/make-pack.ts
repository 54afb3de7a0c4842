import { writeGraphFile } from '../graph/graph-file.ts';
import type { PackGraph } from '../graph/pack-graph.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { isCostly, markCostly } from '../memory/costly-objects.ts';
import { objectIdBytes } from '../object/object-id.ts';
import { entryHeaderMax } from '../pack/entry-header.ts';
import { packHeaderSize } from '../pack/pack-writer.ts';
import type { PackIndex } from '../pack/pack-index.ts';
import { writePackIndexFile } from '../pack/pack-index-file.ts';
import { PackTable } from '../pack/pack-table.ts';
import { newPackId } from '../ports/pack-store.ts';
import type { NewPack } from '../ports/repo-state.ts';
import type { Reservation } from '../memory/admission.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';
import { copyEntries, entryGrowthMax, wholeEntryMax, memoryToMakeWhole } from './copy-entries.ts';
import { DeltaMaker, type FoundDelta } from './delta-maker.ts';
import { findDeltas, type FoundDeltas } from './find-deltas.ts';
import { storeForward, type ForwardPlan } from './forward-deltas.ts';
import type { Liveness } from './liveness.ts';
import type { MaintainOptions } from './maintenance.ts';
import { eachObject, planMerge, type MergePlan } from './merge-plan.ts';
import { mergedGraph } from './merged-graph.ts';
import type { NextRun } from './next-run.ts';
import { PackSink } from './pack-sink.ts';

/** Every single row must stay below this. */
const rowFileMax = 1_900_000;

/** Replacement of a run of packs, stored unless it is for rows, and not yet part of the repository. */
export interface MadePack {
  readonly plan: MergePlan;
  /** Undefined if nothing of the packs is left. */
  readonly pack: Omit<NewPack, 'after' | 'exact'> | undefined;
  /** Caches the made pack for the next readers. */
  keepLoaded(): void;
  /** Removes what was stored. */
  discard(): Promise<void>;
}

/**
 * Makes one pack of a run of neighbours. Its three files are written as any other's; stock `git` reads two of them.
 *
 * Reads and writes each byte of these packs about once, and opens what becomes a delta. Takes the memory that
 * `mergeMemory` tells, and that of new deltas.
 *
 * @throws {StorageError}
 */
export async function makePack(
  view: RepositoryView,
  run: NextRun,
  liveness: Liveness,
  { rowsMax, deltas: makesDeltas = true }: Pick<MaintainOptions, 'rowsMax' | 'deltas'>,
  memory: Reservation,
  work: Work,
): Promise<MadePack> {
  const { engine, repository, set } = view;
  const packs = set.packs.slice(run.from, run.to);
  const indexes: PackIndex[] = [];
  for (const pack of packs) indexes.push(await view.packIndex(pack));
  const merge = { plan: await planMerge(set, packs, indexes, liveness, work), deltas: new Map<number, FoundDelta>() };
  const before = memory.bytes;
  const { plan, deltas } = makesDeltas ? await searchDeltas(view, merge, run, memory, work) : merge;
  const size = await sizeAtMost(plan, deltas, work);
  const sink = new PackSink(repository.packs, engine.buffers, engine.codec, size <= rowsMax ? size : undefined);
  try {
    await sink.begin(plan.objects.length);
    const { offsets: wide, crcs } = await copyEntries(view, plan, deltas, sink, memory);
    deltas.clear();
    memory.shrink(memory.bytes - before);
    const checksum = await sink.end();
    const offsets = (wide.at(-1) as number) <= 0xffff_ffff ? Uint32Array.from(wide) : wide;
    const graph = await mergedGraph(set, plan, liveness, { checksum, offsets }, work);
    if (plan.objects.length === 0 && graph.nodeCount === 0) {
      await sink.discard();
      return { plan, pack: undefined, keepLoaded: () => {}, discard: async () => {} };
    }
    const index = await PackTable.of(plan.ids, offsets, work);
    const files = {
      idx: await writePackIndexFile(index, crcs, checksum, engine.codec, work),
      graph: await writeGraphFile(graph, engine.codec, work),
    };
    return { plan, ...(await stored(sink, index, graph, files, view)), discard: () => sink.discard() };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

/** Keeps the memory free that the largest entry will need that lost its base, since a merge fails without it. */
async function searchDeltas(
  view: RepositoryView,
  merge: ForwardPlan,
  run: NextRun,
  memory: Reservation,
  work: Work,
): Promise<ForwardPlan> {
  for (const { graph } of view.set.packs) await inTurns(work, cost.entries, markCostly(graph));
  let largest = 0;
  const look = (ordinal: number, { graph }: SetPack, own: number): void => {
    const losesBase = (merge.plan.bases[ordinal] as number) < 0 && (graph.bases[own] as number) >= 0;
    if (losesBase && isCostly(graph, own)) largest = Math.max(largest, memoryToMakeWhole(graph, own));
  };
  await inTurns(work, cost.entries, eachObject(merge.plan, look));
  memory.grow(largest);
  try {
    const maker = new DeltaMaker(view, memory, work);
    const planned = run.forward === undefined ? merge : await storeForward(view, merge.plan, run.forward, maker, work);
    await findDeltas(view, planned.plan, planned.deltas, maker, work);
    return planned;
  } finally {
    memory.shrink(largest);
  }
}

async function stored(
  sink: PackSink,
  index: PackTable,
  graph: PackGraph,
  { idx, graph: graphFile }: { readonly idx: Uint8Array; readonly graph: Uint8Array },
  { engine }: RepositoryView,
): Promise<Pick<MadePack, 'pack' | 'keepLoaded'>> {
  const bytes = idx.length < rowFileMax && graphFile.length < rowFileMax ? sink.bytes() : undefined;
  const packSize = sink.size;
  const id = bytes === undefined ? await sink.store(idx, graphFile) : newPackId();
  const sizes = { objects: index.count, packSize, idxSize: idx.length, graphSize: graphFile.length };
  const record = { id, ...sizes, borrowed: 'no' as const };
  return {
    pack:
      bytes === undefined
        ? { ...record, where: 'store' }
        : { ...record, where: 'rows', files: { pack: bytes, idx, graph: graphFile } },
    keepLoaded() {
      engine.indexes.set(id, index);
      engine.graphs.set(id, graph);
    },
  };
}

/** Maximum size in bytes of the pack of a plan. */
async function sizeAtMost(plan: MergePlan, deltas: FoundDeltas, work: Work): Promise<number> {
  let size = packHeaderSize + objectIdBytes;
  const add = (ordinal: number, { graph }: SetPack, own: number): void => {
    const isDelta = (plan.bases[ordinal] as number) >= 0;
    const found = deltas.get(ordinal);
    if (found !== undefined) size += found.data.length + entryHeaderMax;
    else if (ordinal < plan.front || (!isDelta && (graph.bases[own] as number) >= 0))
      size += wholeEntryMax(graph.sizes[own] as number);
    else size += (graph.offsets[own + 1] as number) - (graph.offsets[own] as number) + (isDelta ? entryGrowthMax : 0);
  };
  await inTurns(work, cost.entries, eachObject(plan, add));
  return size;
}
