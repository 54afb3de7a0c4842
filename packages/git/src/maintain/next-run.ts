import { geometricRun, largestRuns, type PackRun } from './geometric-plan.ts';
import type { JudgedState } from './judged-state.ts';
import type { MaintainOptions } from './maintenance.ts';

/**
 * The packs to replace next; undefined: there is nothing to do. What is dead goes newest first: so at every moment
 * whatever a node of the graph reaches is a node too. Borrowed packs keep what is dead in them, and stay shared; every
 * run that takes them in reaches to the newest of them at least.
 */
export function nextRun(state: JudgedState, { mode, mergeMax }: MaintainOptions): PackRun | undefined {
  const { packs } = state.snapshot;
  if (mode === 'full') {
    return largestRuns(packs, mergeMax).find(
      (run) =>
        run.to - run.from > 1 || holdsDead(state, run) || (packs[0]?.exact === false && isAllReached(state, run)),
    );
  }
  const run = geometricRun(packs, mergeMax);
  const newestDead = state.liveness.packs.findLastIndex((pack, i) => pack.dead && packs[i]?.borrowed === 'no');
  if (newestDead >= 0 && newestDead >= (run?.to ?? 0)) return { from: newestDead, to: newestDead + 1 };
  return run;
}

/** Whether any of the packs holds what may be collected. */
export function holdsDead({ liveness }: JudgedState, { from, to }: PackRun): boolean {
  return liveness.packs.slice(from, to).some((pack) => pack.dead);
}

/** Whether these are all packs, and refs reach all that will be left of them. */
export function isAllReached({ snapshot, liveness }: JudgedState, { from, to }: PackRun): boolean {
  return from === 0 && to === snapshot.packs.length && liveness.packs.every((pack) => !pack.waiting);
}
