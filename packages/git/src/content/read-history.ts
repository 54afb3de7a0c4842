import type { ObjectId } from '../object/object-id.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import { cost } from '../work/costs.ts';
import { authorOf, type Commit } from './commit-record.ts';
import { HistoryWalk, type WalkedHistory } from './history-walk.ts';
import { readCommits } from './read-log.ts';

/** The requested part of a history (REPO-265 to REPO-268). */
export interface HistoryRange extends WalkedHistory {
  /** Only commits whose author, written `Name <address>`, contains this text. Default: all. */
  readonly author?: string;
  /** Only commits up to this date, in Unix seconds. Default: all. */
  readonly until?: number;
  /** Maximum number of commits. */
  readonly limit: number;
}

/** A place in a walk, for the next page. All ids are those of commits. */
export interface HistoryPlace {
  /** Commits to go on from, in order. */
  readonly waiting: readonly ObjectId[];
  /** Commits that must not come again. */
  readonly again: readonly ObjectId[];
  /** Number of commits to pass from there on before the page begins. */
  readonly passed: number;
  /** Commits of the result that are still to be skipped. */
  readonly skip: number;
}

export interface HistoryPage {
  /** Fewer than the limit, or none, if much had to be looked at. */
  readonly commits: readonly Commit[];
  /** Start of the next page; undefined at the end of the history. */
  readonly next: HistoryPlace | undefined;
}

/** Ids in a place. A page that would end at a wider place leaves it to the next one to come there again. */
export const placeIdsMax = 128;

/** A page ends after so many commits, trees, and bytes of commits that were looked at. */
const lookedAtMax = { commits: 200_000, trees: 20_000, authors: 20_000 };

/** A place by the nodes of its commits. */
export type NodePlace = Omit<HistoryPlace, 'waiting' | 'again'> &
  Readonly<Record<'waiting' | 'again', readonly number[]>>;

/**
 * Reads the next commits of a history in the order of `git log`. The nodes of `place` must be readable.
 *
 * @param memoryMax maximum bytes of all commits except the largest (LIM-059).
 * @throws {NotEnoughMemoryError}
 */
export async function readHistory(
  view: RepositoryView,
  account: RequestAccount,
  place: NodePlace,
  range: HistoryRange,
  memoryMax: number,
): Promise<HistoryPage> {
  await account.planMore(HistoryWalk.memory(view.set));
  await view.loadIndexes();
  const walk = new HistoryWalk(view, range);
  for (const node of place.again) walk.markPassed(node);
  for (const node of place.waiting) walk.add(node);
  while (walk.passed < place.passed && !walk.isAtEnd) await walk.next();
  const [passedBefore, treesBefore] = [walk.passed, walk.treesOpened];
  const found: number[] = [];
  let { skip } = place;
  let authors = 0;
  const isSpent = (): boolean =>
    walk.passed - passedBefore >= lookedAtMax.commits ||
    walk.treesOpened - treesBefore >= lookedAtMax.trees ||
    authors >= lookedAtMax.authors;
  while (found.length < range.limit && !walk.isAtEnd && !isSpent()) {
    const node = await walk.next();
    if (node === undefined || node < 0 || walk.dateOf(node) > (range.until ?? Infinity)) continue;
    if (range.author !== undefined) {
      authors++;
      if (!(await hasAuthor(view, node, range.author))) continue;
    }
    if (skip > 0) skip--;
    else found.push(node);
  }
  const next = walk.isAtEnd ? undefined : await placeOf(view, walk, place, skip);
  const objects = found.map((node) => view.set.nodeObjects[node] as number);
  return { commits: await readCommits(view, account, objects, memoryMax), next };
}

async function hasAuthor(view: RepositoryView, node: number, text: string): Promise<boolean> {
  const { body } = await view.read(view.set.nodeObjects[node] as number);
  if (view.work.spend(cost.parsed, body.length)) await view.work.yield();
  return authorOf(body).includes(text);
}

async function placeOf(view: RepositoryView, walk: HistoryWalk, start: NodePlace, skip: number): Promise<HistoryPlace> {
  const idOf = (node: number): ObjectId => view.objectId(view.set.nodeObjects[node] as number);
  const waiting = walk.waiting();
  const again = waiting.length > placeIdsMax ? undefined : await walk.passedAgain(placeIdsMax - waiting.length);
  if (again !== undefined) return { waiting: waiting.map(idOf), again: again.map(idOf), passed: 0, skip };
  return { waiting: start.waiting.map(idOf), again: start.again.map(idOf), passed: walk.passed, skip };
}
