import { objectIdAt, objectIdBytes } from '../object/object-id.ts';
import type { GraphSet } from '../graph/graph-set.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import { readingCommit, type Commit } from './commit-record.ts';
import { shownMemory } from './shown-memory.ts';

/** Cost of a skipped commit in entries. */
const entriesAStep = 4;

/** The requested part of a history. */
export interface LogRange {
  /** Number of commits to skip. */
  readonly offset: number;
  /** Maximum number of commits. */
  readonly limit: number;
}

/**
 * Reads the first-parent chain of a commit's node, newest first (REPO-143), as far as the repository has it. A skipped
 * commit is one step in the graph, and is not read.
 *
 * @param memoryMax maximum bytes of all commits except the largest (LIM-059).
 * @throws {NotEnoughMemoryError}
 */
export async function readLog(
  view: RepositoryView,
  account: RequestAccount,
  from: number,
  { offset, limit }: LogRange,
  memoryMax: number,
): Promise<readonly Commit[]> {
  const { set, work } = view;
  let node = from;
  for (let passed = 0; passed < offset && node >= 0; passed++) {
    if (work.spend(cost.entries, entriesAStep)) await work.yield();
    node = firstParent(set, node);
  }
  const objects: number[] = [];
  for (; node >= 0 && objects.length < limit; node = firstParent(set, node)) {
    objects.push(set.nodeObjects[node] as number);
  }
  return readCommits(view, account, objects, memoryMax);
}

/**
 * Reads the commits of some objects, in this order.
 *
 * @param memoryMax maximum bytes of all commits except the largest (LIM-059).
 * @throws {NotEnoughMemoryError}
 */
export async function readCommits(
  view: RepositoryView,
  account: RequestAccount,
  objects: readonly number[],
  memoryMax: number,
): Promise<readonly Commit[]> {
  const { set } = view;
  const needed = objects.map((object) => shownMemory(set.size(object)));
  const total = needed.reduce((sum, bytes) => sum + bytes, 0);
  const beside = total - Math.max(0, ...needed);
  if (beside > memoryMax)
    throw new NotEnoughMemoryError({ needed: beside, limit: memoryMax, setting: 'request_memory_max' });
  await account.planMore(total);
  await view.loadIndexes();
  const packs = objects.map((object) => view.set.packOfObject(object));
  const commits: Commit[] = [];
  const id = new Uint8Array(objectIdBytes);
  for (const [i, object] of objects.entries()) {
    const pack = packs[i];
    // Packs in rows are fetched in few portions, if the next ones are known.
    if (pack !== undefined && pack !== packs[i - 1])
      await view.readRows(
        pack,
        packs.slice(i + 1).map(({ record }) => record),
      );
    view.copyObjectId(object, id, 0);
    const { body } = await view.read(object);
    commits.push(await inTurns(view.work, cost.parsed, readingCommit(objectIdAt(id), body)));
  }
  return commits;
}

/** Returns -1 without a parent, or if the repository lacks it. */
function firstParent({ parentStarts, parents }: GraphSet, node: number): number {
  const start = parentStarts[node] as number;
  return start < (parentStarts[node + 1] as number) ? (parents[start] as number) : -1;
}
