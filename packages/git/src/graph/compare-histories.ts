import type { Work } from '../work/scheduler.ts';
import { cost } from '../work/costs.ts';
import { inBlocks } from '../work/loops.ts';
import type { GraphSet } from './graph-set.ts';
import { paint } from './paint.ts';

/** How the history of one commit relates to that of another. */
export interface HistoryComparison {
  /** Node of the best common ancestor, the newest if there are several; -1 without a common one. */
  readonly mergeBase: number;
  /** Number of commits that only `head` reaches. */
  readonly ahead: number;
  /** Number of commits that only `base` reaches. */
  readonly behind: number;
  /** The newest of the commits that only `head` reaches, in the order of `git log base..head`. */
  readonly commits: readonly number[];
}

/** Compares the histories of two commits, given by their nodes. Opens no object. */
export async function compareHistories(
  work: Work,
  set: GraphSet,
  base: number,
  head: number,
  commitsMax: number,
): Promise<HistoryComparison> {
  const { nodeCount, parentStarts, parents } = set;
  const [ofBase, ofHead] = [new Uint8Array(nodeCount), new Uint8Array(nodeCount)];
  await paint(work, set, [base], ofBase, 1);
  await paint(work, set, [head], ofHead, 1);
  let [ahead, behind] = [0, 0];
  // A common ancestor with a common child is no best one.
  const hasCommonChild = new Uint8Array(nodeCount);
  await inBlocks(work, nodeCount, (from, to) => {
    for (let node = from; node < to; node++) {
      if (ofBase[node] !== ofHead[node]) {
        if (ofHead[node] === 1) ahead++;
        else behind++;
      } else if (ofHead[node] === 1) {
        for (let i = parentStarts[node] as number; i < (parentStarts[node + 1] as number); i++) {
          hasCommonChild[parents[i] as number] = 1;
        }
      }
    }
  });
  let mergeBase = -1;
  await inBlocks(work, nodeCount, (from, to) => {
    for (let node = from; node < to; node++) {
      if (ofBase[node] !== 1 || ofHead[node] !== 1 || hasCommonChild[node] === 1) continue;
      if (mergeBase < 0 || dateOf(set, node) > dateOf(set, mergeBase)) mergeBase = node;
    }
  });
  const commits = await newest(work, set, head, ofBase, commitsMax);
  return { mergeBase, ahead, behind, commits };
}

/** Walks from a commit by date, like `git log`, and skips what `excluded` marks. */
async function newest(
  work: Work,
  set: GraphSet,
  head: number,
  excluded: Uint8Array,
  max: number,
): Promise<readonly number[]> {
  const { parentStarts, parents } = set;
  const found: number[] = [];
  // Newest last; of equally old ones the first that was met.
  const waiting: number[] = excluded[head] === 1 ? [] : [head];
  const seen = new Set(waiting);
  for (let node = waiting.pop(); node !== undefined && found.length < max; node = waiting.pop()) {
    found.push(node);
    if (work.spend(cost.entries, 16 + waiting.length)) await work.yield();
    for (let i = parentStarts[node] as number; i < (parentStarts[node + 1] as number); i++) {
      const parent = parents[i] as number;
      if (excluded[parent] === 1 || seen.has(parent)) continue;
      seen.add(parent);
      const date = dateOf(set, parent);
      let at = waiting.length;
      while (at > 0 && dateOf(set, waiting[at - 1] as number) >= date) at--;
      waiting.splice(at, 0, parent);
    }
  }
  return found;
}

/** Committer date of a commit's node, in seconds since 1970. */
function dateOf(set: GraphSet, node: number): number {
  const { graph, nodeStart } = set.packOfNode(node);
  return graph.dates[node - nodeStart] as number;
}
