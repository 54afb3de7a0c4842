import { judge, type Liveness } from '../maintain/liveness.ts';
import { judgeMemory } from '../maintain/maintenance-memory.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { PackRecord, RefRecord, RepoSnapshot } from '../ports/repo-state.ts';
import { resolveHead } from '../refs/head.ts';
import { visibleRefs } from '../refs/visible-refs.ts';
import type { GitEngine, GitRepository } from '../repository/engine.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { reserveFor } from '../repository/request-memory.ts';
import { createTurns } from '../turns.ts';
import { hasNode, neededPacks, reachedCount } from './reached-packs.ts';

export interface ForkOptions {
  /** Only the branch that HEAD resolves to is copied (REPO-121, GIT-130); else every ref that is not hidden. */
  readonly defaultBranchOnly: boolean;
  /** Prefixes of hidden refs (GIT-129), which are never copied. */
  readonly hiddenRefs: readonly string[];
}

/** What a fork begins with. */
export interface ForkPlan {
  /** To create in the fork, sorted bytewise by name. Empty where HEAD is unborn, or the parent is empty (REPO-122). */
  readonly refs: readonly RefRecord[];
  /**
   * Packs of the parent, oldest first, with positions 1, 2, ... as the fork is to have them: those in the store it shares,
   * those in rows it copies.
   */
  readonly packs: readonly PackRecord[];
  /**
   * Commits whose parents the shared packs do not have (GIT-075). Those of them that the refs do not reach are not the
   * fork's, but if they are pushed to it, history ends there, as the graphs of these packs say.
   */
  readonly shallow: readonly ObjectId[];
  /** How many objects the refs reach. */
  readonly objects: number;
  /** Of the packs together: what counts as stored in the fork (GIT-166). */
  readonly bytes: number;
}

/**
 * Plans a fork of one snapshot: what is copied of its refs, and which packs it shares by reference. No object is opened.
 * Where the only pack is known to hold just what the copied refs reach, nothing of the history is looked at (REPO-124);
 * else it is read off the graph, which costs some 25 ns for each object of the parent.
 *
 * @throws {NotEnoughMemoryError} LIM-059.
 * @throws {RepoGoneError} if the parent was deleted.
 */
export async function planFork(
  engine: GitEngine,
  parent: GitRepository,
  snapshot: RepoSnapshot,
  options: ForkOptions,
): Promise<ForkPlan> {
  const refs = copiedRefs(snapshot, options);
  if (refs.length === 0) return { refs, packs: [], shallow: [], objects: 0, bytes: 0 };
  const [only] = snapshot.packs;
  if (only !== undefined && isReachedWhole(snapshot, refs)) {
    const packs = ownedCopies([{ ...only, position: 1, after: 0, borrowed: 'whole' }]);
    return { refs, packs, shallow: [], objects: only.objects, bytes: only.packSize };
  }
  const lease = engine.leases.take(snapshot.packs);
  try {
    const memory = await reserveFor(engine, snapshot, judgeMemory(engine, snapshot));
    try {
      return await planByGraph(await RepositoryView.open(engine, parent, snapshot), refs);
    } finally {
      memory.release();
    }
  } finally {
    lease.release();
  }
}

async function planByGraph({ set, snapshot }: RepositoryView, refs: readonly RefRecord[]): Promise<ForkPlan> {
  // Nothing but the refs keeps anything alive: no tips that were left, and no pack since it is young.
  const onlyRefs = { tips: [], before: Infinity };
  const reached = await judge(set, { ...snapshot, refs }, onlyRefs, createTurns());
  const needed = neededPacks(set, reached);
  const packs = sharedPacks(snapshot, needed, reached);
  return {
    refs,
    packs,
    shallow: snapshot.shallow.filter((oid) => hasNode(set, needed, oid)),
    objects: reachedCount(reached),
    bytes: packs.reduce((sum, { packSize }) => sum + packSize, 0),
  };
}

function copiedRefs(
  { refs, defaultBranch }: RepoSnapshot,
  { defaultBranchOnly, hiddenRefs }: ForkOptions,
): readonly RefRecord[] {
  const visible = visibleRefs(refs, hiddenRefs);
  if (!defaultBranchOnly) return visible;
  const head = resolveHead(visible, defaultBranch);
  return visible.filter(({ name }) => name === head.ref);
}

/** Whether there is one pack, of which every object is reached by the copied refs. False: that is not known. */
function isReachedWhole({ packs, refs, shallow }: RepoSnapshot, copied: readonly RefRecord[]): boolean {
  // Which part of a boundary is reached only the graph tells.
  if (packs.length !== 1 || packs[0]?.exact !== true || shallow.length > 0) return false;
  if (copied.length === refs.length) return true;
  const tips = new Set(copied.map(({ oid }) => oid));
  return refs.every(({ oid }) => tips.has(oid));
}

/** The records of packs (by their numbers, ascending) as the fork has them. */
function sharedPacks({ packs }: RepoSnapshot, needed: readonly number[], reached: Liveness): readonly PackRecord[] {
  const isOnly = needed.length === 1;
  return ownedCopies(
    needed.map((number, i) => {
      const record = packs[number] as PackRecord;
      const isWhole = reached.packs[number]?.dead === false;
      return {
        ...record,
        exact: isOnly && isWhole,
        borrowed: isWhole ? 'whole' : 'part',
        position: i + 1,
        after: needed.filter((other) => (packs[other] as PackRecord).position <= record.after).length,
      };
    }),
  );
}

/**
 * Copies of packs in rows are shared with nobody. Where all that they hold is the fork's, they are merged like what is
 * pushed; but no borrowed pack may be newer than one that is not (see `nextRun`).
 */
function ownedCopies(packs: readonly PackRecord[]): readonly PackRecord[] {
  const first = packs.findLastIndex(({ where, borrowed }) => where === 'store' || borrowed === 'part') + 1;
  return packs.map((pack, i) => (i < first ? pack : { ...pack, borrowed: 'no' }));
}
