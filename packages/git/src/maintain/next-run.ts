import type { SetPack } from '../graph/set-pack.ts';
import type { PackId } from '../ports/pack-store.ts';
import { cameWithoutDeltas } from './find-deltas.ts';
import { geometricRun, largestRuns, type PackRun } from './geometric-plan.ts';
import type { JudgedState } from './judged-state.ts';
import type { MaintainOptions } from './maintenance.ts';

/**
 * Returns the packs to replace next; undefined if there is nothing to do. Collects dead objects from the newest pack
 * first, so that everything a node of the graph reaches is always a node, too. Borrowed packs keep their dead objects,
 * and stay shared; every run with some of them extends to at least the newest of them. `made` are packs that this
 * maintenance has made.
 */
export function nextRun(
  state: JudgedState,
  { mode, mergeMax, deltas = true }: MaintainOptions,
  made: ReadonlySet<PackId>,
): PackRun | undefined {
  const { packs } = state.snapshot;
  if (mode === 'full') {
    const isOpen = ({ from }: PackRun): boolean => {
      const pack = state.view.set.packs[from] as SetPack;
      return deltas && !made.has(pack.record.id) && cameWithoutDeltas(pack.graph);
    };
    return largestRuns(packs, mergeMax).find(
      (run) =>
        run.to - run.from > 1 ||
        holdsDead(state, run) ||
        (packs[0]?.exact === false && isAllReached(state, run)) ||
        isOpen(run),
    );
  }
  const run = geometricRun(packs, mergeMax);
  const newestDead = state.liveness.packs.findLastIndex((pack, i) => pack.dead && packs[i]?.borrowed === 'no');
  if (newestDead >= 0 && newestDead >= (run?.to ?? 0)) return { from: newestDead, to: newestDead + 1 };
  return run;
}

/** Tests if any of the packs has collectable contents. */
export function holdsDead({ liveness }: JudgedState, { from, to }: PackRun): boolean {
  return liveness.packs.slice(from, to).some((pack) => pack.dead);
}

/** Tests if these are all packs, and refs reach everything that will be left of them. */
export function isAllReached({ snapshot, liveness }: JudgedState, { from, to }: PackRun): boolean {
  return from === 0 && to === snapshot.packs.length && liveness.packs.every((pack) => !pack.waiting);
}
