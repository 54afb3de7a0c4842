import { cost } from '../../work/costs.ts';
import { entriesAStop, inTurns, stretches, type Steps } from '../../work/loops.ts';
import type { Work } from '../../work/scheduler.ts';
import type { HistoryBounds } from './fetch-plan.ts';
import type { GraphSet } from '../../graph/graph-set.ts';
import { paint } from '../../graph/paint.ts';
import { TagEnds } from '../../graph/peel.ts';

/** How much history a request asks for (GIT-072 to GIT-074). */
export type DepthLimit =
  /** All history of the wants, and of the commits in `completes`, which are lines of the client's boundary. */
  | { readonly kind: 'everything'; readonly completes: readonly number[] }
  /** `commits` from each want, 1 or more; with `relative`, beyond the client's boundary commit nearest to a want. */
  | { readonly kind: 'count'; readonly commits: number; readonly relative: boolean }
  /** Commits not older than `since` (seconds since 1970), and not reached by the nodes of `excluded`. */
  | { readonly kind: 'selection'; readonly since: number; readonly excluded: readonly number[] };

export interface BoundaryRequest {
  /** Nodes the client wants. What peels to no commit has no history. */
  readonly wants: readonly number[];
  /** Commits that the client has without their parents. */
  readonly clientShallow: readonly number[];
  /** Commits whose parents the repository does not have (GIT-075). */
  readonly ownShallow: readonly number[];
  /** Undefined: no depth was asked for. */
  readonly limit: DepthLimit | undefined;
}

/** The client's boundary as a reply changes it. */
export interface Boundary {
  readonly bounds: HistoryBounds;
  /** Commits that the client must treat as having no parents, except those that it named itself. */
  readonly shallow: readonly number[];
}

/** A limit that leaves no commit (GIT-073). */
export const nothingSelected = 'nothing selected';

/** Entries that a node counts for, beside its edges. */
const entriesANode = 5;

const inside = 1;
const edge = 2;

/**
 * Finds where history is cut off for a request. As in Git, a want outside a selection is sent with all its history, and a
 * root at exactly the requested depth gets a `shallow` line too.
 */
export async function boundaryOf(
  set: GraphSet,
  request: BoundaryRequest,
  work: Work,
): Promise<Boundary | typeof nothingSelected> {
  const { clientShallow, ownShallow, limit } = request;
  const ends = new TagEnds(set);
  await ends.find(request.wants, work);
  const starts = [...new Set(request.wants.filter((want) => ends.isCommit(want)).map((want) => ends.of(want)))];
  const marks = new Uint8Array(set.nodeCount);
  if (limit !== undefined) await markLimit(set, starts, clientShallow, limit, marks, work);
  if (limit?.kind === 'selection' && !marks.includes(inside) && !marks.includes(edge)) return nothingSelected;
  for (const node of ownShallow) if (marks[node] === inside) marks[node] = edge;

  const cuts = await inTurns(work, cost.entries, markedEdges(marks));
  const unshallowed = clientShallow.filter((node) => marks[node] === inside);
  const bounds = { cuts, unshallowed };
  if (cuts.length + ownShallow.length === 0) return { bounds, shallow: [] };
  const reached = await reachedWithin(work, set, starts, clientShallow, bounds);
  const listed = new Uint8Array(set.nodeCount);
  for (const node of clientShallow) listed[node] = 1;
  const shallow: number[] = [];
  // A cut is listed only if it is reached from a want.
  for (const nodes of [cuts, ownShallow]) {
    await inTurns(work, cost.entries, takeReached(nodes, reached, listed, shallow));
  }
  return { bounds, shallow };
}

function* markedEdges(marks: Uint8Array): Steps<readonly number[]> {
  const edges: number[] = [];
  for (const [from, to] of stretches(marks.length)) {
    for (let node = from; node < to; node++) if (marks[node] === edge) edges.push(node);
    yield to - from;
  }
  return edges;
}

/** Adds each node that is reached and is not listed yet. */
function* takeReached(nodes: readonly number[], reached: Uint8Array, listed: Uint8Array, into: number[]): Steps<void> {
  let passed = 0;
  for (const node of nodes) {
    if (reached[node] === 1 && listed[node] === 0) {
      listed[node] = 1;
      into.push(node);
    }
    if (++passed < entriesAStop) continue;
    yield passed;
    passed = 0;
  }
  yield passed;
}

/** Marks what the limit leaves, and what of it ends history. */
async function markLimit(
  set: GraphSet,
  starts: readonly number[],
  clientShallow: readonly number[],
  limit: DepthLimit,
  marks: Uint8Array,
  work: Work,
): Promise<void> {
  if (limit.kind === 'selection') return markSelection(set, starts, limit, marks, work);
  if (limit.kind === 'count') return markLevels(set, starts, clientShallow, limit, marks, work);
  await paint(work, set, [...starts, ...limit.completes], marks, inside);
}

/**
 * Marks level by level, so that of several ways to a commit the shortest counts. A relative count starts at the first
 * level that holds a commit of the client's boundary; without such a level nothing is cut (GIT-074).
 */
async function markLevels(
  set: GraphSet,
  starts: readonly number[],
  clientShallow: readonly number[],
  { commits, relative }: { readonly commits: number; readonly relative: boolean },
  marks: Uint8Array,
  work: Work,
): Promise<void> {
  const { parentStarts, parents } = set;
  const countsFrom = new Set(relative ? clientShallow : []);
  let last = relative ? Infinity : commits;
  let level: number[] = [...starts];
  for (const node of level) marks[node] = inside;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth === last) {
      for (const node of level) marks[node] = edge;
      return;
    }
    const next: number[] = [];
    for (const node of level) {
      if (last === Infinity && countsFrom.has(node)) last = depth + commits;
      const start = parentStarts[node] as number;
      const end = parentStarts[node + 1] as number;
      if (work.spend(cost.entries, entriesANode + end - start)) await work.yield();
      for (let i = start; i < end; i++) {
        const parent = parents[i] as number;
        if (marks[parent] !== 0) continue;
        marks[parent] = inside;
        next.push(parent);
      }
    }
    level = next;
  }
}

async function markSelection(
  set: GraphSet,
  starts: readonly number[],
  { since, excluded }: { readonly since: number; readonly excluded: readonly number[] },
  marks: Uint8Array,
  work: Work,
): Promise<void> {
  const { parentStarts, parents } = set;
  const outside = new Uint8Array(set.nodeCount);
  await paint(work, set, excluded, outside, 1);
  const selected: number[] = [];
  const select = (node: number): void => {
    if (marks[node] !== 0 || outside[node] === 1 || dateOf(set, node) < since) return;
    marks[node] = inside;
    selected.push(node);
  };
  for (const start of starts) select(start);
  for (let next = 0; next < selected.length; next++) {
    const node = selected[next] as number;
    const start = parentStarts[node] as number;
    const end = parentStarts[node + 1] as number;
    if (work.spend(cost.entries, entriesANode * (1 + end - start))) await work.yield();
    for (let i = start; i < end; i++) select(parents[i] as number);
  }
  for (const node of selected) {
    const start = parentStarts[node] as number;
    const end = parentStarts[node + 1] as number;
    if (work.spend(cost.entries, entriesANode + end - start)) await work.yield();
    for (let i = start; i < end && marks[node] === inside; i++) {
      if (marks[parents[i] as number] === 0) marks[node] = edge;
    }
  }
}

/** One byte a node: 1 if it is part of the history that the client has when the reply is in. */
async function reachedWithin(
  work: Work,
  set: GraphSet,
  starts: readonly number[],
  clientShallow: readonly number[],
  { cuts, unshallowed }: HistoryBounds,
): Promise<Uint8Array> {
  const stops = new Uint8Array(set.nodeCount);
  for (const node of clientShallow) stops[node] = 1;
  for (const node of unshallowed) stops[node] = 0;
  for (const node of cuts) stops[node] = 1;
  const reached = new Uint8Array(set.nodeCount);
  await paint(work, set, starts, reached, 1, stops);
  await paint(work, set, unshallowed, reached, 1, stops);
  return reached;
}

/** Committer date of a commit, in seconds since 1970. */
function dateOf(set: GraphSet, node: number): number {
  const { graph, nodeStart } = set.packOfNode(node);
  return graph.dates[node - nodeStart] as number;
}
