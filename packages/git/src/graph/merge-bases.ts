import { entriesAStop, type Steps } from '../work/loops.ts';
import type { CommitGraph } from './commit-graph.ts';
import { DateQueue } from './date-queue.ts';

/** Marks of a node: reached from one side, from the other, behind a common ancestor, a candidate, in the queue. */
const [fromOne, fromTwo, isStale, isCandidate, isWaiting] = [1, 2, 4, 8, 16];

const fromBoth = fromOne | fromTwo;

/** Table entries that a step to a commit counts for. */
export const entriesACommit = 16;

/**
 * Finds all best common ancestors of two commits, like `git merge-base --all`: the newest first, and equally old ones in
 * the order in which Git meets them. Walks by date as far as the two histories differ, and the whole history only for
 * several candidates. Opens no object.
 */
export function* findMergeBases(graph: CommitGraph, one: number, two: number): Steps<readonly number[]> {
  if (one === two) return [one];
  const candidates = yield* findCandidates(graph, one, two);
  // Dates may be wrong, so a candidate may be an ancestor of another one.
  const best = candidates.length > 1 ? yield* withoutAncestors(graph, candidates) : candidates;
  return best.toSorted((a, b) => graph.dateOf(b) - graph.dateOf(a));
}

/** Bytes that finding merge bases takes at a time: a mark of each node. */
export function mergeBasesMemory({ nodeCount }: CommitGraph): number {
  return nodeCount;
}

/** Finds the common ancestors that are behind no other one, as far as dates tell. */
function* findCandidates(graph: CommitGraph, one: number, two: number): Steps<number[]> {
  const marks = new Uint8Array(graph.nodeCount);
  const queue = new DateQueue((node) => graph.dateOf(node));
  const candidates: number[] = [];
  /** Number of nodes in the queue that are not stale. */
  let open = 0;
  const add = (node: number, more: number): void => {
    const old = marks[node] as number;
    if ((old & more) === more) return;
    marks[node] = old | more | isWaiting;
    if ((old & isWaiting) === 0) queue.add(node);
    const wasOpen = (old & (isWaiting | isStale)) === isWaiting;
    open += Number((more & isStale) === 0 && (old & isStale) === 0) - Number(wasOpen);
  };
  add(one, fromOne);
  add(two, fromTwo);
  let passed = 0;
  for (let node = open > 0 ? queue.take() : undefined; node !== undefined; node = open > 0 ? queue.take() : undefined) {
    const own = (marks[node] as number) & ~isWaiting;
    marks[node] = own;
    if ((own & isStale) === 0) open--;
    let inherited = own & (fromBoth | isStale);
    if (inherited === fromBoth) {
      if ((own & isCandidate) === 0) candidates.push(node);
      marks[node] = own | isCandidate;
      inherited |= isStale;
    }
    for (const parent of graph.parentsOf(node)) {
      add(parent, inherited);
      passed += entriesACommit;
    }
    passed += entriesACommit;
    if (passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
  return candidates.filter((node) => ((marks[node] as number) & isStale) === 0);
}

/** Drops the candidates that another one reaches. */
function* withoutAncestors(graph: CommitGraph, candidates: readonly number[]): Steps<number[]> {
  const reached = new Uint8Array(graph.nodeCount);
  const stack = [...candidates];
  let passed = 0;
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const parent of graph.parentsOf(node)) {
      passed++;
      if (reached[parent] === 1) continue;
      reached[parent] = 1;
      stack.push(parent);
    }
    if (++passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
  return candidates.filter((node) => reached[node] === 0);
}
