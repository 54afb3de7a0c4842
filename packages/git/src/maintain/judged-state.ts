import type { GraphSet } from '../graph/graph-set.ts';
import { type RepoSnapshot, type RetiredTip, snapshotTipsMax } from '../ports/repo-state.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import type { RequestWork } from '../work/scheduler.ts';
import { judge, waiting, type Liveness } from './liveness.ts';

/** One state of a repository, and which of its objects are still needed. */
export interface JudgedState {
  readonly snapshot: RepoSnapshot;
  readonly view: RepositoryView;
  readonly liveness: Liveness;
  /** Every one that may be younger than the grace. */
  readonly tips: readonly RetiredTip[];
  /** Objects younger than this (milliseconds since 1970) were spared. */
  readonly before: number;
}

/**
 * Judges a state by what is younger than `before` (milliseconds since 1970).
 *
 * @throws {RepoGoneError}
 */
export async function judgeState(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  before: number,
  work: RequestWork,
): Promise<JudgedState> {
  const view = await RepositoryView.open(engine, repository, snapshot, work);
  view.forgetIndexes();
  const tips =
    snapshot.retiredTips.length < snapshotTipsMax ? snapshot.retiredTips : await repository.state.retiredTips();
  const liveness = await judge(view.set, snapshot.packs, view.refs.below(''), { tips, before }, work);
  return { snapshot, view, tips, before, liveness };
}

/**
 * Time when the first waiting object has waited for `grace`, in milliseconds since 1970. Undefined: no object waits.
 */
export function nextCollection(state: JudgedState, grace: number): number | undefined {
  const { snapshot, view, liveness, tips, before } = state;
  const since: number[] = [];
  snapshot.packs.forEach(({ at, borrowed }, i) => {
    // No object is collected from a pack while it is borrowed.
    if (liveness.packs[i]?.waiting === true && borrowed === 'no') since.push(at);
  });
  for (const { oid, at } of tips) if (isWaiting(view.set, liveness, oid)) since.push(at);
  const oldest = since.filter((at) => at > before).reduce((a, b) => Math.min(a, b), Infinity);
  return oldest === Infinity ? undefined : oldest + grace;
}

function isWaiting(set: GraphSet, { nodes }: Liveness, oid: RetiredTip['oid']): boolean {
  const node = set.findNodeById(oid);
  return node >= 0 && nodes[node] === waiting;
}
