import { kindMask, type PackGraph } from '../graph/pack-graph.ts';
import { commitKind } from '../object/kind.ts';
import { orderOf } from '../pack/number-order.ts';
import { cost } from '../work/costs.ts';
import { inTurns, stretches } from '../work/loops.ts';
import type { Work } from '../work/scheduler.ts';

/** Commits of a pack that count as recent: 1,000 commits of a branch, with those that its merges brought. */
const recentMax = 4096;
/** Objects that recent commits introduce, which bounds the work for them. */
const introducedMax = 64 * 1024;

/** Share of commits that stand in front of their parent in a pack by stock git, and the least number of commits. */
const newestFirstShare = 0.9;
const commitsLeast = 64;

/** Work for a commit, as a number of entries. */
const entriesACommit = 12;

/** Returns the nodes of the newest commits of a pack by date, parents before their children. */
export async function recentCommits(graph: PackGraph, work: Work): Promise<readonly number[]> {
  const dates = Float64Array.from(graph.dates);
  const order = await inTurns(work, cost.entries, orderOf(dates));
  const isRecent = new Uint8Array(graph.nodeCount);
  const newest: number[] = [];
  let introduced = 0;
  for (let rank = order.length - 1; rank >= 0 && newest.length < recentMax; rank--) {
    const node = order[rank] as number;
    if (work.spend(cost.entries, entriesACommit)) await work.yield();
    const object = graph.nodeObjects[node] as number;
    if (object >= graph.count || ((graph.kinds[object] as number) & kindMask) !== commitKind) continue;
    introduced += (graph.listStarts[node + 1] as number) - (graph.listStarts[node] as number);
    // A commit without parents introduces much, and has no earlier versions.
    const isFirst = graph.parentStarts[node] === graph.parentStarts[node + 1];
    if (introduced > introducedMax && !isFirst) break;
    newest.push(node);
    isRecent[node] = 1;
  }
  return parentsFirst(graph, newest.reverse(), isRecent);
}

/** Orders nodes so that their parents among them come first. Dates of different clocks do not. */
function parentsFirst(graph: PackGraph, nodes: readonly number[], isOpen: Uint8Array): readonly number[] {
  const ordered: number[] = [];
  const path: number[] = [];
  for (const start of nodes) {
    path.push(start);
    while (path.length > 0) {
      const node = path.at(-1) as number;
      const before = path.length;
      if (isOpen[node] === 1) {
        isOpen[node] = 2;
        for (let i = graph.parentStarts[node] as number; i < (graph.parentStarts[node + 1] as number); i++) {
          const parent = graph.parents[i] as number;
          if (isOpen[parent] === 1) path.push(parent);
        }
      }
      if (path.length > before) continue;
      path.pop();
      if (isOpen[node] === 2) ordered.push(node);
      isOpen[node] = 0;
    }
  }
  return ordered;
}

const known = new WeakMap<PackGraph, boolean>();

/**
 * Tests if the recent commits of a pack stand in front of their parents, as in packs that stock git makes: there older
 * versions are deltas of newer ones. Computed once for each loaded graph.
 */
export async function isNewestFirst(graph: PackGraph, work: Work): Promise<boolean> {
  if (graph.nodeCount < commitsLeast) return false;
  let found = known.get(graph);
  if (found === undefined) {
    const commits = await recentCommits(graph, work);
    let pairs = 0;
    let inFront = 0;
    for (const [from, to] of stretches(commits.length)) {
      for (const node of commits.slice(from, to)) {
        const first = graph.parentStarts[node] as number;
        const parent = graph.parents[first] as number;
        if (first === graph.parentStarts[node + 1] || parent >= graph.nodeCount) continue;
        pairs++;
        // Nodes are in the order of their objects.
        if (node < parent) inFront++;
      }
      if (work.spend(cost.entries, entriesACommit * (to - from))) await work.yield();
    }
    found = pairs >= commitsLeast && inFront > newestFirstShare * pairs;
    known.set(graph, found);
  }
  return found;
}
