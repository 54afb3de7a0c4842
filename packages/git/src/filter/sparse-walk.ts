import type { GraphSet } from '../graph/graph-set.ts';
import { kindMask } from '../graph/pack-graph.ts';
import { treeKind } from '../object/kind.ts';
import { RequestRefusedError } from '../wire/request-error.ts';
import { cost } from '../work/costs.ts';
import { atOnce, inTurns, stretches, type Steps } from '../work/loops.ts';
import { FolderStates, type KnownState } from './folder-states.ts';
import type { FolderState, SparseMatcher } from './sparse-matcher.ts';
import { forEachEntry, type WalkedTrees } from './walked-trees.ts';

/** Maximum number of processed trees to remember. Above it all are forgotten, and some trees are processed again. */
const seenMax = 128 * 1024;
/** Maximum memory in bytes of the states that are remembered with them. */
const statesMax = 4 * 1024 * 1024;

/** How often all trees may be gone through: less often where there are many patterns, of which each byte takes its time. */
const timesMax = 32;
const timesMin = 2;
const stepsMax = 2048;
/** Bytes of trees that are added to the limit, so that a small number of trees can be processed more often. */
const treeBytesMin = 32 * 1024;

/** Number of trees that are processed together. */
const together = 1024;

interface Pending {
  readonly tree: number;
  readonly state: KnownState;
}

/** Memory in bytes for a walk besides its patterns. */
export const sparseWalkMemory: number = statesMax + 32 * seenMax;

/**
 * Calls `pass` for each blob that the patterns pass at some path (GIT-083), and for each tree, since trees always pass.
 * Walks a tree once for each state of the patterns, not for each path.
 *
 * @throws {RequestRefusedError} if that takes far more than a walk over every tree: hostile patterns and folders in
 * which each path has its own state would take forever.
 */
export async function walkByPatterns(
  walked: WalkedTrees,
  matcher: SparseMatcher,
  pass: (object: number) => void,
): Promise<void> {
  const { set } = walked.trees;
  const states = new FolderStates(statesMax);
  const pending: Pending[] = [];
  let seen = 0;
  const times = Math.min(timesMax, Math.max(timesMin, stepsMax / matcher.stepsAByte));
  let left = times * ((await inTurns(walked.work, cost.entries, treeBytes(set))) + treeBytesMin);
  const meet = (tree: number, state: KnownState): void => {
    if (state.seen.has(tree) || walked.isHeld(tree)) return;
    pass(tree);
    state.seen.add(tree);
    seen++;
    pending.push({ tree, state });
  };
  const starts = [
    [matcher.bare, walked.given],
    [matcher.root, walked.roots],
  ] as const;
  /** Matches a name with this number of bytes. */
  const run = <T>(steps: Steps<T>, bytes: number, then: (found: T) => void): void | Promise<void> => {
    if (!matcher.isQuick(bytes)) return inTurns(walked.work, cost.entries, steps).then(then);
    walked.work.spend(cost.entries, matcher.stepsAByte * (4 + bytes));
    return then(atOnce(steps));
  };
  const go = async ({ tree, state }: Pending): Promise<void> => {
    left -= sizeOf(set, tree);
    if (left < 0) throw new RequestRefusedError('the sparse patterns take too long for this repository');
    await forEachEntry(walked, tree, ({ body, nameStart, nameEnd }, isTree, find) => {
      if (isTree) {
        const meetIt = (inside: FolderState): void => meet(find(), states.known(inside));
        return run(matcher.enter(state, body, nameStart, nameEnd), nameEnd - nameStart, meetIt);
      }
      const passIt = (passes: boolean): void => (passes ? pass(find()) : undefined);
      return run(matcher.passesFile(state, body, nameStart, nameEnd), nameEnd - nameStart, passIt);
    });
    if (seen < seenMax && !states.isFull) return;
    states.forget();
    seen = 0;
  };
  for (const [start, trees] of starts) {
    for (let first = 0; first < trees.length; first += together) {
      for (const tree of trees.slice(first, first + together)) meet(tree, states.known(start));
      while (pending.length > 0) {
        // Depth first, to keep the list short, but several at a time, in pack order.
        const next = pending.splice(-together).sort((a, b) => a.tree - b.tree);
        for (const one of next) await go(one);
      }
    }
  }
}

function sizeOf(set: GraphSet, object: number): number {
  const { graph, objectStart } = set.packOfObject(object);
  return graph.sizes[object - objectStart] as number;
}

function* treeBytes({ packs }: GraphSet): Steps<number> {
  let sum = 0;
  for (const { graph } of packs) {
    for (const [from, to] of stretches(graph.count)) {
      for (let i = from; i < to; i++) {
        if (((graph.kinds[i] as number) & kindMask) === treeKind) sum += graph.sizes[i] as number;
      }
      yield (to - from) / 4;
    }
  }
  return sum;
}
