import { kindMask, type PackGraph } from '../graph/pack-graph.ts';
import { commitKind } from '../object/kind.ts';
import { cost } from '../work/costs.ts';
import { stretches } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

/** Commits of a pack that count as recent: 1,000 commits of a branch, with those that its merges brought. */
const recentMax = 4096;
/** Objects that recent commits introduce, which bounds the work for them. */
const introducedMax = 64 * 1024;

/** Share of commits that stand in front of an ancestor in a pack by stock git, and the least number of commits. */
const newestFirstShare = 1 / 2;
const commitsLeast = 64;
/** Generations to that ancestor. A small push is newest first, too, but stores what clients need. */
const generations = 32;

/** Work for a commit, a step to a parent, and a comparison of dates, as a number of entries. */
const entriesACommit = 12;
const entriesALink = 3;
const entriesAComparison = 16;

/** Returns the nodes of the newest commits of a pack by date, parents before their children. */
export async function recentCommits(graph: PackGraph, work: Work): Promise<readonly number[]> {
  const recent: number[] = [];
  let introduced = 0;
  for (const node of await newestCommits(graph, work)) {
    introduced += (graph.listStarts[node + 1] as number) - (graph.listStarts[node] as number);
    // A commit without parents introduces much, and has no earlier versions.
    const isFirst = graph.parentStarts[node] === graph.parentStarts[node + 1];
    if (introduced > introducedMax && !isFirst) break;
    recent.push(node);
  }
  return parentsFirst(graph, recent.reverse(), work);
}

/**
 * Returns the nodes of the newest commits, newest first. Of the same date, those that stand in front come first: so a
 * pack that is stored forward has the same recent commits as before.
 */
async function newestCommits(
  { nodeCount, nodeObjects, count, kinds, dates }: PackGraph,
  work: Work,
): Promise<number[]> {
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
      const object = nodeObjects[node] as number;
      if (object >= count || ((kinds[object] as number) & kindMask) !== commitKind) continue;
      if ((dates[node] as number) <= least) continue;
      if (newest.push(node) === 2 * recentMax) keepNewest();
    }
    if (work.spend(cost.entries, entriesACommit * (to - from))) await work.yield();
  }
  keepNewest();
  return newest;
}

/** Orders nodes so that their parents among them come first. Dates of different clocks do not. */
async function parentsFirst(graph: PackGraph, nodes: readonly number[], work: Work): Promise<readonly number[]> {
  const { parentStarts, parents } = graph;
  /** By node that is not yet ordered: the next of its parents to look at. */
  const open = new Map(nodes.map((node) => [node, parentStarts[node] as number]));
  const ordered: number[] = [];
  const path: number[] = [];
  for (const start of nodes) {
    if (open.has(start)) path.push(start);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      if (work.spend(cost.entries, entriesACommit)) await work.yield();
      const edge = open.get(node) as number;
      if (edge === parentStarts[node + 1]) {
        ordered.push(node);
        open.delete(node);
        path.pop();
        continue;
      }
      open.set(node, edge + 1);
      const parent = parents[edge] as number;
      if (open.has(parent)) path.push(parent);
    }
  }
  return ordered;
}

const known = new WeakMap<PackGraph, boolean>();

/**
 * Tests if the recent commits of a pack stand in front of their ancestors, as in packs that stock git makes: there older
 * versions are deltas of newer ones. False for a pack that is stored forward. Computed once for each loaded graph.
 */
export async function isNewestFirst(graph: PackGraph, work: Work): Promise<boolean> {
  if (graph.nodeCount < commitsLeast) return false;
  let found = known.get(graph);
  if (found === undefined) {
    const commits = await recentCommits(graph, work);
    const isRecent = new Set(commits);
    let pairs = 0;
    let inFront = 0;
    for (const node of commits) {
      const ancestor = ancestorOf(graph, node, isRecent);
      if (work.spend(cost.entries, entriesALink * generations)) await work.yield();
      if (ancestor === undefined) continue;
      pairs++;
      // Nodes are in the order of their objects.
      if (node < ancestor) inFront++;
    }
    found = pairs >= commitsLeast && inFront > newestFirstShare * pairs;
    known.set(graph, found);
  }
  return found;
}

/** Returns the ancestor along first parents that all are recent: a rewrite moves no others. */
function ancestorOf(
  { parentStarts, parents }: PackGraph,
  node: number,
  isRecent: ReadonlySet<number>,
): number | undefined {
  let ancestor = node;
  for (let left = generations; left > 0; left--) {
    const first = parentStarts[ancestor] as number;
    const parent = parents[first] as number;
    if (first === parentStarts[ancestor + 1] || !isRecent.has(parent)) return undefined;
    ancestor = parent;
  }
  return ancestor;
}
