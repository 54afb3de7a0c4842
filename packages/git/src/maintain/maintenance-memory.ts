import { numberedIdMemory } from '../graph/id-numbers.ts';
import { slabSize } from '../pack/buffer-pool.ts';
import { objectsIn, type RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine } from '../engine/engine.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { viewMemory } from '../engine/request-memory.ts';
import { rowPortion } from '../repository/row-packs.ts';
import { orderedPerObject } from './forward-deltas.ts';
import type { MaintainOptions } from './maintenance.ts';
import { plannedPerObject } from './merge-plan.ts';
import type { NextRun } from './next-run.ts';

/**
 * Bytes that a merge of several packs leaves: for objects that must be opened, and for buffers that the collector has
 * not seen yet.
 */
const spare = 12 * 1024 * 1024;
/** Memory in bytes for buffers and small values. */
const scratch = 1024 * 1024;
/** Bytes an object takes while it is judged: its own judgement, and that of the node it may be, of two states at a time. */
const judgedPerObject = 4;
/** Bytes an object of a made pack takes in its tables, its graph and its files, beside the plan. */
const writtenPerObject = 112;
/** Bytes an id takes that names an object of an older pack: its number in the made pack, and itself in the graph's file. */
const namedMemory = numberedIdMemory + 48;

/** Bytes for the recent commits, and for versions that wait while trees are compared. */
const pairsMemory = 4 * 1024 * 1024;

/** Returns the memory that a maintenance needs to judge a repository, in addition to the caches. */
export function judgeMemory(engine: GitEngine, snapshot: RepoSnapshot): number {
  return scratch + viewMemory(engine, snapshot) + judgedPerObject * objectsIn(snapshot.packs);
}

/** Returns the additional memory to make one pack of a run. */
export function mergeMemory(
  { engine, repository, snapshot, set }: RepositoryView,
  { from, to, forward }: NextRun,
  { deltas = true }: Pick<MaintainOptions, 'deltas'>,
): number {
  const packs = snapshot.packs.slice(from, to);
  const bytesIn = (place: 'rows' | 'store'): number =>
    packs.reduce((sum, { where, packSize }) => sum + (where === place ? packSize : 0), 0);
  const { windowMax, inFlight } = engine.reads;
  // One more window than the reads is in use; windows are allocated from slabs.
  const windows = Math.ceil(Math.min((inFlight + 1) * windowMax, bytesIn('store')) / slabSize) * slabSize;
  const rows = Math.min(bytesIn('rows'), 2 * rowPortion);
  const tables = (plannedPerObject + writtenPerObject) * objectsIn(packs);
  const ordered = forward === undefined ? 0 : pairsMemory + orderedPerObject * objectsIn(packs);
  // Ids of objects in older packs: those that the graphs reference, and those of the packs that are also stored there.
  const named = set.packs
    .slice(from, to)
    .reduce((sum, { extObjects, late }) => sum + namedMemory * (extObjects.length + late.size), 0);
  // The search for deltas loads all indexes, else only those of the run are loaded still.
  const graphs = viewMemory(engine, snapshot, deltas ? snapshot.packs : packs);
  const judged = scratch + judgedPerObject * objectsIn(snapshot.packs);
  const made = graphs + judged + tables + named + ordered + repository.packs.partSize + windows + rows;
  return Math.max(judgeMemory(engine, snapshot), made);
}

/** Tests if memory suffices to make one pack of a run. One pack alone may take all there is. */
export function mergeFits(view: RepositoryView, run: NextRun, options: Pick<MaintainOptions, 'deltas'>): boolean {
  const left = run.to - run.from > 1 ? spare : 0;
  return mergeMemory(view, run, options) + left <= view.engine.admission.requestMost;
}
