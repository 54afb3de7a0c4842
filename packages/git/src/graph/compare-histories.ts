import type { Work } from '../work/scheduler.ts';
import { cost } from '../work/costs.ts';
import { entriesAStop, inBlocks, inTurns, type Steps } from '../work/loops.ts';
import type { GraphSet } from './graph-set.ts';
import { paint } from './paint.ts';

/** How the history of one commit relates to that of another. */
export interface HistoryComparison {
  /** Node of the best common ancestor, the newest if there are several, in the graph of `base`; -1 without a common one. */
  readonly mergeBase: number;
  /** Number of commits that only `head` reaches. */
  readonly ahead: number;
  /** Number of commits that only `base` reaches. */
  readonly behind: number;
  /** The newest of the commits that only `head` reaches, in the order of `git log base..head`, in the graph of `head`. */
  readonly commits: readonly number[];
}

/** A commit by its node in the graph of a repository. */
export interface HistoryEnd {
  readonly set: GraphSet;
  readonly node: number;
}

/** Returns the memory for comparing two histories: a byte a node for each mark, and 8 for each node that waits. */
export function comparisonMemory(base: GraphSet, head: GraphSet): number {
  return 3 * base.nodeCount + 9 * head.nodeCount;
}

/**
 * Compares the histories of two commits, which may be of two repositories. Opens no object.
 *
 * @param inBase returns the node of a commit of `head` in the graph of `base`; -1: it is not there.
 */
export async function compareHistories(
  work: Work,
  base: HistoryEnd,
  head: HistoryEnd,
  inBase: (node: number) => number,
  commitsMax: number,
): Promise<HistoryComparison> {
  const { nodeCount, parentStarts, parents } = base.set;
  const [ofBase, ofHead] = [new Uint8Array(nodeCount), new Uint8Array(nodeCount)];
  await paint(work, base.set, [base.node], ofBase, 1);
  const isCommon = (node: number): boolean => ofBase[inBase(node)] === 1;
  const entries = base.set === head.set ? 1 : entriesALookup;
  const own = await inTurns(work, cost.entries, walkingOwn(head, isCommon, entries));
  // What a common commit reaches is common, too, so the graph of `base` has all of it.
  await paint(work, base.set, own.common.map(inBase), ofHead, 1);
  let behind = 0;
  // A common ancestor with a common child is no best one.
  const hasCommonChild = new Uint8Array(nodeCount);
  await inBlocks(work, nodeCount, (from, to) => {
    for (let node = from; node < to; node++) {
      if (ofBase[node] !== 1) continue;
      if (ofHead[node] !== 1) behind++;
      else {
        for (let i = parentStarts[node] as number; i < (parentStarts[node + 1] as number); i++) {
          hasCommonChild[parents[i] as number] = 1;
        }
      }
    }
  });
  let mergeBase = -1;
  await inBlocks(work, nodeCount, (from, to) => {
    for (let node = from; node < to; node++) {
      if (ofHead[node] !== 1 || hasCommonChild[node] === 1) continue;
      if (mergeBase < 0 || dateOf(base.set, node) > dateOf(base.set, mergeBase)) mergeBase = node;
    }
  });
  const commits = await newest(work, head, own.marks, commitsMax);
  return { mergeBase, ahead: own.count, behind, commits };
}

/** Marks in the graph of `head`. */
const [ownMark, commonMark] = [1, 2];

/** Entries that a look-up in the graph of another repository counts for. */
const entriesALookup = 16;

interface OwnHistory {
  /** By node of `head`. */
  readonly marks: Uint8Array;
  /** The number of commits that only `head` reaches. */
  readonly count: number;
  /** Common commits at which these end. */
  readonly common: readonly number[];
}

/** Walks over the commits that only `head` reaches, and stops at common ones. `entries`: the work of one `isCommon`. */
function* walkingOwn(
  { set, node: head }: HistoryEnd,
  isCommon: (node: number) => boolean,
  entries: number,
): Steps<OwnHistory> {
  const { nodeCount, parentStarts, parents } = set;
  const marks = new Uint8Array(nodeCount);
  const common: number[] = [];
  const stack: number[] = [];
  const visit = (node: number): void => {
    if (marks[node] !== 0) return;
    const isOwn = !isCommon(node);
    marks[node] = isOwn ? ownMark : commonMark;
    (isOwn ? stack : common).push(node);
  };
  visit(head);
  let count = 0;
  let passed = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    count++;
    const [first, end] = [parentStarts[node] as number, parentStarts[node + 1] as number];
    for (let i = first; i < end; i++) visit(parents[i] as number);
    passed += entries * (1 + end - first);
    if (passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
  return { marks, count, common };
}

/** Walks from a commit by date, like `git log`, and skips common commits. */
async function newest(
  work: Work,
  { set, node: head }: HistoryEnd,
  marks: Uint8Array,
  max: number,
): Promise<readonly number[]> {
  const { parentStarts, parents } = set;
  const found: number[] = [];
  // Newest last; of equally old ones the first that was met.
  const waiting: number[] = marks[head] === ownMark ? [head] : [];
  const seen = new Set(waiting);
  for (let node = waiting.pop(); node !== undefined && found.length < max; node = waiting.pop()) {
    found.push(node);
    if (work.spend(cost.entries, 16 + waiting.length)) await work.yield();
    for (let i = parentStarts[node] as number; i < (parentStarts[node + 1] as number); i++) {
      const parent = parents[i] as number;
      if (marks[parent] !== ownMark || seen.has(parent)) continue;
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
