import type { SetPack } from '../graph/set-pack.ts';
import type { PackId } from '../ports/pack-store.ts';
import { objectsIn, type PackRecord } from '../ports/repo-state.ts';
import type { Work } from '../work/scheduler.ts';
import { cameWithoutDeltas } from './find-deltas.ts';
import { geometricRun, largestRuns, type PackRun } from './geometric-plan.ts';
import { isNewestFirst, type HistoryPart } from './history-part.ts';
import type { JudgedState } from './judged-state.ts';
import type { MaintainOptions } from './maintenance.ts';

/** One in this many objects must be new to the largest pack of a merge that leaves several packs. */
const partsMin = 10;

const noLimits = { bytes: Infinity, objects: Infinity };

/** Packs to replace by one. */
export interface NextRun extends PackRun {
  /** The part of the history of the first pack that is to be stored forward (GIT-194). */
  readonly forward: HistoryPart | undefined;
}

/** Tests if memory suffices to make one pack of a run. */
type Fits = (run: PackRun) => boolean;

/**
 * Returns the packs to replace next; undefined if there is nothing to do. Collects dead objects from the newest pack
 * first, so that everything a node of the graph reaches is always a node, too. Borrowed packs keep their dead objects,
 * and stay shared; every run with some of them extends to at least the newest of them. `made` are packs that this
 * maintenance has made.
 *
 * Merges only what `fits`, so a large repository keeps several packs (GIT-191). What must not
 * stay and does not fit comes last, for the caller to report it.
 */
export async function nextRun(
  state: JudgedState,
  options: MaintainOptions,
  made: ReadonlySet<PackId>,
  fits: (run: NextRun) => boolean,
  work: Work,
): Promise<NextRun | undefined> {
  const all = { from: 0, to: state.snapshot.packs.length };
  // Where there is never enough memory for it, packs are merged as they are.
  const mayStoreForward = fits({ ...all, forward: 'all' });
  const part = mayStoreForward ? await backwardPart(state, options, made, work) : undefined;
  const withPart = (run: PackRun): NextRun => ({ ...run, forward: run.from === 0 ? part : undefined });
  const run = usualOrFullRun(state, options, made, part !== undefined, (one) => fits(withPart(one)));
  return run && withPart(run);
}

function usualOrFullRun(
  state: JudgedState,
  options: MaintainOptions,
  made: ReadonlySet<PackId>,
  isBackward: boolean,
  fits: Fits,
): PackRun | undefined {
  const { mode, mergeMax, deltas = true } = options;
  const { packs } = state.snapshot;
  const merge = (from: number): PackRun | undefined => fittingMerge(packs, from, mergeMax, fits);
  const isOpen = ({ from }: PackRun): boolean => {
    const pack = state.view.set.packs[from] as SetPack;
    return (isBackward && from === 0) || (deltas && !made.has(pack.record.id) && cameWithoutDeltas(pack.graph));
  };
  const run = mode === 'full' ? fullRun(state, mergeMax, isOpen, fits) : merge(0);
  const newestDead = state.liveness.packs.findLastIndex((pack, i) => pack.dead && packs[i]?.borrowed === 'no');
  if (newestDead >= 0 && newestDead >= (run?.to ?? 0)) {
    const collection = { from: newestDead, to: newestDead + 1 };
    return fits(collection) ? collection : (merge(newestDead + 1) ?? collection);
  }
  return run ?? (isBackward ? firstAlone(packs, mergeMax, fits) : undefined) ?? missedRun(packs, fits);
}

/** Returns the first pack alone, if it may be made again. */
function firstAlone([first]: readonly PackRecord[], mergeMax: number, fits: Fits): PackRun | undefined {
  const run = { from: 0, to: 1 };
  return first?.borrowed === 'no' && first.packSize <= mergeMax && fits(run) ? run : undefined;
}

/** Returns the part of the history of the first pack that is not stored forward and may be: all if asked for and worth it. */
async function backwardPart(
  { view }: JudgedState,
  { history, deltas = true }: MaintainOptions,
  made: ReadonlySet<PackId>,
  work: Work,
): Promise<HistoryPart | undefined> {
  const [first] = view.set.packs;
  if (!deltas || first === undefined || made.has(first.record.id)) return undefined;
  // The recent history of a smaller pack is not that of the repository.
  if (2 * first.graph.nodeCount < view.set.nodeCount) return undefined;
  if (history === 'all' && (await isNewestFirst(first.graph, 'all', work))) return 'all';
  return (await isNewestFirst(first.graph, 'recent', work)) ? 'recent' : undefined;
}

/** Returns the run of the geometric rule among the packs from `first`, which leaves out what does not fit. */
function fittingMerge(packs: readonly PackRecord[], first: number, mergeMax: number, fits: Fits): PackRun | undefined {
  for (let objects = Infinity; ;) {
    const found = geometricRun(packs.slice(first), { bytes: mergeMax, objects });
    if (found === undefined) return undefined;
    const run = { from: first + found.from, to: first + found.to };
    if (fits(run)) return run;
    objects = objectsIn(packs.slice(run.from, run.to)) - 1;
  }
}

/** Returns the two newest packs if they are small and never become one, so that packs would pile up. */
function missedRun(packs: readonly PackRecord[], fits: Fits): PackRun | undefined {
  const run = { from: packs.length - 2, to: packs.length };
  const isWanted = run.from >= 0 && geometricRun(packs.slice(run.from), noLimits) !== undefined;
  return isWanted && objectsIn(packs.slice(run.from)) * partsMin < objectsIn(packs) && !fits(run) ? run : undefined;
}

/** Returns the newest of the largest runs that is to be replaced. */
function fullRun(
  state: JudgedState,
  mergeMax: number,
  isOpen: (run: PackRun) => boolean,
  fits: Fits,
): PackRun | undefined {
  const { packs } = state.snapshot;
  for (let objects = Infinity; ;) {
    const runs = largestRuns(packs, { bytes: mergeMax, objects });
    const tooLarge = runs.find((run) => run.to - run.from > 1 && !fits(run));
    if (tooLarge !== undefined) {
      objects = objectsIn(packs.slice(tooLarge.from, tooLarge.to)) - 1;
      continue;
    }
    return runs.find(
      (run) =>
        (run.to - run.from > 1 && (runs.length === 1 || holdsDead(state, run) || isWorthwhile(packs, run))) ||
        (run.to - run.from === 1 && holdsDead(state, run) && fits(run)) ||
        (packs[0]?.exact === false && isAllReached(state, run) && fits(run)) ||
        (isOpen(run) && fits(run)),
    );
  }
}

/** Tests if enough is new to the largest of several packs that stay several. */
function isWorthwhile(packs: readonly PackRecord[], run: PackRun): boolean {
  const merged = packs.slice(run.from, run.to);
  const objects = objectsIn(merged);
  const largest = merged.reduce((most, pack) => Math.max(most, pack.objects), 0);
  return (objects - largest) * partsMin >= objects;
}

/** Tests if any of the packs has collectable contents. */
export function holdsDead({ liveness }: JudgedState, { from, to }: PackRun): boolean {
  return liveness.packs.slice(from, to).some((pack) => pack.dead);
}

/** Tests if these are all packs, and refs reach everything that will be left of them. */
export function isAllReached({ snapshot, liveness }: JudgedState, { from, to }: PackRun): boolean {
  return from === 0 && to === snapshot.packs.length && liveness.packs.every((pack) => !pack.waiting);
}
