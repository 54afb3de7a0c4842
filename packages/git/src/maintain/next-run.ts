import type { SetPack } from '../graph/set-pack.ts';
import type { PackId } from '../ports/pack-store.ts';
import type { Work } from '../work/scheduler.ts';
import { cameWithoutDeltas } from './find-deltas.ts';
import { geometricRun, largestRuns, type PackRun } from './geometric-plan.ts';
import type { JudgedState } from './judged-state.ts';
import type { MaintainOptions } from './maintenance.ts';
import { isNewestFirst, type HistoryPart } from './history-part.ts';
import { mergeMemory } from './maintenance-memory.ts';

/** Packs to replace by one. */
export interface NextRun extends PackRun {
  /** The part of the history of the first pack that is to be stored forward (GIT-194). */
  readonly forward: HistoryPart | undefined;
}

/**
 * Returns the packs to replace next; undefined if there is nothing to do. Collects dead objects from the newest pack
 * first, so that everything a node of the graph reaches is always a node, too. Borrowed packs keep their dead objects,
 * and stay shared; every run with some of them extends to at least the newest of them. `made` are packs that this
 * maintenance has made.
 */
export async function nextRun(
  state: JudgedState,
  options: MaintainOptions,
  made: ReadonlySet<PackId>,
  work: Work,
): Promise<NextRun | undefined> {
  const part = await backwardPart(state, options, made, work);
  const isBackward = part !== undefined;
  const run =
    options.mode === 'full' ? fullRun(state, options, made, isBackward) : usualRun(state, options, isBackward);
  return run && { ...run, forward: run.from === 0 ? part : undefined };
}

function fullRun(
  state: JudgedState,
  { mergeMax, deltas = true }: MaintainOptions,
  made: ReadonlySet<PackId>,
  isBackward: boolean,
): PackRun | undefined {
  const { packs } = state.snapshot;
  const isOpen = ({ from }: PackRun): boolean => {
    const pack = state.view.set.packs[from] as SetPack;
    return deltas && !made.has(pack.record.id) && cameWithoutDeltas(pack.graph);
  };
  return largestRuns(packs, mergeMax).find(
    (run) =>
      run.to - run.from > 1 ||
      holdsDead(state, run) ||
      (packs[0]?.exact === false && isAllReached(state, run)) ||
      isOpen(run) ||
      (isBackward && run.from === 0),
  );
}

function usualRun(state: JudgedState, { mergeMax }: MaintainOptions, isBackward: boolean): PackRun | undefined {
  const { packs } = state.snapshot;
  const run = geometricRun(packs, mergeMax);
  const newestDead = state.liveness.packs.findLastIndex((pack, i) => pack.dead && packs[i]?.borrowed === 'no');
  if (newestDead >= 0 && newestDead >= (run?.to ?? 0)) return { from: newestDead, to: newestDead + 1 };
  if (run !== undefined) return run;
  // The first pack alone, once.
  const [first] = packs;
  return isBackward && first?.borrowed === 'no' && first.packSize <= mergeMax ? { from: 0, to: 1 } : undefined;
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
  // Where there is never enough memory for it, packs are merged as they are.
  const needed = mergeMemory(view, { from: 0, to: view.set.packs.length, forward: 'all' });
  if (needed > view.engine.admission.requestMost) return undefined;
  if (history === 'all' && (await isNewestFirst(first.graph, 'all', work))) return 'all';
  return (await isNewestFirst(first.graph, 'recent', work)) ? 'recent' : undefined;
}

/** Tests if any of the packs has collectable contents. */
export function holdsDead({ liveness }: JudgedState, { from, to }: PackRun): boolean {
  return liveness.packs.slice(from, to).some((pack) => pack.dead);
}

/** Tests if these are all packs, and refs reach everything that will be left of them. */
export function isAllReached({ snapshot, liveness }: JudgedState, { from, to }: PackRun): boolean {
  return from === 0 && to === snapshot.packs.length && liveness.packs.every((pack) => !pack.waiting);
}
