import { kindMask, type PackGraph } from '../graph/pack-graph.ts';
import { isCostly, markCostly } from '../memory/costly-objects.ts';
import { commitKind } from '../object/kind.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

/** The commits of a pack whose versions are stored forward: the newest by date, or all. */
export type HistoryPart = 'recent' | 'all';

/** Commits that count as recent: 1,000 commits of a branch, with those that its merges brought. */
const recentMax = 4096;
/** Objects that recent commits introduce, which bounds the work for them. */
const introducedMax = 64 * 1024;

/** Share of commits that stand in front of an ancestor from which on a rewrite pays, and the least number of commits. */
const newestFirstShares = { recent: 1 / 2, all: 1 / 10 } as const;
const commitsLeast = 32;
/** Generations to that ancestor. A small push is newest first, too, but stores what clients need. */
const generations = 32;

/** Work for a commit, a step to a parent, and a comparison of dates, as a number of entries. */
const entriesACommit = 12;
const entriesALink = 3;
const entriesAComparison = 16;

/** The commits of a part, by the numbers of their nodes. */
interface PickedCommits {
  /** Roughly by date. */
  readonly oldestFirst: Iterable<number>;
  has(node: number): boolean;
}

/** Returns the nodes of the commits of a part, parents before their children. */
export async function commitsOf(graph: PackGraph, part: HistoryPart, work: Work): Promise<Uint32Array> {
  const { oldestFirst } = await pickCommits(graph, part, work);
  const { nodeCount, parentStarts, parents } = graph;
  /** By node: one more than the next edge to look at; 0: ordered, or not in the part. */
  const open = new Uint32Array(nodeCount);
  let count = 0;
  for (const node of oldestFirst) {
    open[node] = (parentStarts[node] as number) + 1;
    count++;
    if (work.spend(cost.entries, entriesACommit)) await work.yield();
  }
  const ordered = new Uint32Array(count);
  const path: number[] = [];
  for (const start of oldestFirst) {
    if (open[start] !== 0) path.push(start);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (work.spend(cost.entries, entriesACommit)) await work.yield();
      const edge = (open[node] as number) - 1;
      if (edge === parentStarts[node + 1]) {
        ordered[ordered.length - count--] = node;
        open[node] = 0;
        path.pop();
        continue;
      }
      open[node] = edge + 2;
      const parent = parents[edge] as number;
      if (parent < nodeCount && open[parent] !== 0) path.push(parent);
    }
  }
  return ordered;
}

async function pickCommits(graph: PackGraph, part: HistoryPart, work: Work): Promise<PickedCommits> {
  if (part === 'recent') {
    const recent = await recentCommits(graph, work);
    const isRecent = new Set(recent);
    return { oldestFirst: recent.reverse(), has: (node) => isRecent.has(node) };
  }
  const has = (node: number): boolean => node < graph.nodeCount && isCommit(graph, node);
  const oldestFirst = {
    *[Symbol.iterator](): Generator<number> {
      for (let node = graph.nodeCount - 1; node >= 0; node--) if (has(node)) yield node;
    },
  };
  return { oldestFirst, has };
}

/** Tests if a node is a commit of the pack. Excludes those that need more memory to become whole than is set aside. */
function isCommit(graph: PackGraph, node: number): boolean {
  const object = graph.nodeObjects[node] as number;
  if (object >= graph.count || ((graph.kinds[object] as number) & kindMask) !== commitKind) return false;
  return !isCostly(graph, object);
}

async function recentCommits(graph: PackGraph, work: Work): Promise<number[]> {
  const recent: number[] = [];
  let introduced = 0;
  for (const node of await newestCommits(graph, work)) {
    introduced += (graph.listStarts[node + 1] as number) - (graph.listStarts[node] as number);
    // A commit without parents introduces much, and has no earlier versions.
    const isFirst = graph.parentStarts[node] === graph.parentStarts[node + 1];
    if (introduced > introducedMax && !isFirst) break;
    recent.push(node);
  }
  return recent;
}

/**
 * Returns the nodes of the newest commits, newest first. Of the same date, those that stand in front come first: so a
 * pack that is stored forward has the same recent commits as before.
 */
async function newestCommits(graph: PackGraph, work: Work): Promise<number[]> {
  const { nodeCount, dates } = graph;
  const newest: number[] = [];
  let least = -1;
  const keepNewest = (): void => {
    work.spend(cost.entries, entriesAComparison * newest.length);
    newest.sort((a, b) => (dates[b] as number) - (dates[a] as number) || a - b);
    newest.length = Math.min(newest.length, recentMax);
    if (newest.length === recentMax) least = dates[newest.at(-1) as number] as number;
  };
  for (const [from, to] of stretches(nodeCount)) {
    for (let node = from; node < to; node++) {
      if ((dates[node] as number) <= least || !isCommit(graph, node)) continue;
      if (newest.push(node) === 2 * recentMax) keepNewest();
    }
    if (work.spend(cost.entries, entriesACommit * (to - from))) await work.yield();
  }
  keepNewest();
  return newest;
}

const known = { recent: new WeakMap<PackGraph, boolean>(), all: new WeakMap<PackGraph, boolean>() };

/**
 * Tests if commits of a part stand in front of their ancestors, as in packs that stock git makes: there older versions are
 * deltas of newer ones. False for a part that is stored forward. Computed once for each loaded graph.
 */
export async function isNewestFirst(graph: PackGraph, part: HistoryPart, work: Work): Promise<boolean> {
  if (graph.nodeCount < commitsLeast) return false;
  let found = known[part].get(graph);
  if (found === undefined) {
    await inTurns(work, cost.entries, markCostly(graph));
    const picked = await pickCommits(graph, part, work);
    let pairs = 0;
    let inFront = 0;
    for (const node of picked.oldestFirst) {
      const ancestor = ancestorOf(graph, node, picked);
      if (work.spend(cost.entries, entriesALink * generations)) await work.yield();
      if (ancestor === undefined) continue;
      pairs++;
      // Nodes are in the order of their objects.
      if (node < ancestor) inFront++;
    }
    found = pairs >= commitsLeast && inFront > newestFirstShares[part] * pairs;
    known[part].set(graph, found);
  }
  return found;
}

/** Returns the ancestor along first parents that are all in the part: a rewrite moves no others. */
function ancestorOf(graph: PackGraph, node: number, picked: PickedCommits): number | undefined {
  const { parentStarts, parents } = graph;
  let ancestor = node;
  for (let left = generations; left > 0; left--) {
    const first = parentStarts[ancestor] as number;
    const parent = parents[first] as number;
    if (first === parentStarts[ancestor + 1] || !picked.has(parent)) return undefined;
    ancestor = parent;
  }
  return ancestor;
}
