import { judge, type Liveness } from '../maintain/liveness.ts';
import { judgeMemory } from '../maintain/maintenance-memory.ts';
import type { ObjectId } from '../object/object-id.ts';
import { storedSize, type PackRecord, type RepoSnapshot } from '../ports/repo-state.ts';
import { oidAt, packRefs, type RefSlice } from '../refs/packed-refs.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import { VisibleRefs } from '../stored-refs/visible-refs.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { reserveFor } from '../engine/request-memory.ts';
import { cost } from '../work/costs.ts';
import { inTurns } from '../work/loops.ts';
import type { RequestWork } from '../work/scheduler.ts';
import { hasNode, neededPacks, reachedCount } from './reached-packs.ts';

export interface ForkOptions {
  /** Account that the planning is charged to. Default: a new one. */
  readonly work?: RequestWork;
  /** Copies only the branch that HEAD resolves to (REPO-121, GIT-130); otherwise every ref that is not hidden. */
  readonly defaultBranchOnly: boolean;
  /** Prefixes of hidden refs (GIT-129), which are never copied. */
  readonly hiddenRefs: readonly string[];
}

/** Initial contents of a fork. */
export interface ForkPlan {
  /** Refs to create in the fork, in order. Empty if HEAD is unborn, or the parent is empty (REPO-122). */
  readonly refs: readonly RefSlice[];
  /**
   * Packs of the parent, oldest first, with the fork's positions 1, 2, and so on. The fork shares those in the store,
   * and copies those in rows.
   */
  readonly packs: readonly PackRecord[];
  /**
   * Commits whose parents the shared packs lack (GIT-075). Those that the refs do not reach do not belong to the fork.
   * But if they are pushed to it, history ends there, as in the graphs of these packs.
   */
  readonly shallow: readonly ObjectId[];
  /** Number of objects that the refs reach. */
  readonly objects: number;
  /** Bytes of all packs, which count as stored in the fork (GIT-166). */
  readonly bytes: number;
}

/**
 * Plans a fork of one snapshot: the copied refs, and the packs that it shares by reference. Opens no object. If the
 * only pack is known to have exactly what the copied refs reach, reads no history (REPO-124). Otherwise reads the
 * graph, which costs some 25 ns per object of the parent.
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
  const { work = engine.scheduler.begin() } = options;
  const all = new RepoRefs(engine, parent, snapshot, work);
  const refs = await copiedRefs(new VisibleRefs(all, snapshot, options.hiddenRefs), options);
  if (refs.length === 0) return { refs, packs: [], shallow: [], objects: 0, bytes: 0 };
  const [only] = snapshot.packs;
  if (only !== undefined && (await isReachedWhole(snapshot, all, refs))) {
    const packs = ownedCopies([{ ...only, position: 1, after: 0, borrowed: 'whole' }]);
    return { refs, packs, shallow: [], objects: only.objects, bytes: storedSize(only) };
  }
  const lease = engine.leases.take(snapshot.packs);
  try {
    const memory = await reserveFor(engine, snapshot, judgeMemory(engine, snapshot), work);
    try {
      return await planByGraph(await RepositoryView.open(engine, parent, snapshot, work), refs);
    } finally {
      memory.release();
    }
  } finally {
    lease.release();
  }
}

async function planByGraph({ set, snapshot, work }: RepositoryView, refs: readonly RefSlice[]): Promise<ForkPlan> {
  // Only refs keep objects alive: no retired tips, and no grace for young packs.
  const onlyRefs = { tips: [], before: Infinity };
  const reached = await judge(set, snapshot.packs, refs, onlyRefs, work);
  const needed = await inTurns(work, cost.entries, neededPacks(set, reached));
  const packs = sharedPacks(snapshot, needed, reached);
  return {
    refs,
    packs,
    shallow: snapshot.shallow.filter((oid) => hasNode(set, needed, oid)),
    objects: reachedCount(reached),
    bytes: packs.reduce((sum, pack) => sum + storedSize(pack), 0),
  };
}

async function copiedRefs(visible: VisibleRefs, { defaultBranchOnly }: ForkOptions): Promise<readonly RefSlice[]> {
  const slices: RefSlice[] = [];
  if (!defaultBranchOnly) {
    for await (const slice of visible.below('')) slices.push(slice);
    return slices;
  }
  const head = await visible.head();
  const found = [...(await visible.find([head.ref])).values()];
  const refs = packRefs(found.map(({ name, ...target }) => ({ name, target })));
  return refs.count === 0 ? [] : [{ refs, from: 0, to: refs.count }];
}

/** Tests if there is one pack whose objects are all reached by the copied refs. False also means unknown. */
async function isReachedWhole(
  { packs, shallow }: RepoSnapshot,
  all: RepoRefs,
  copied: readonly RefSlice[],
): Promise<boolean> {
  // Only the graph shows which part of a boundary is reached.
  if (packs.length !== 1 || packs[0]?.exact !== true || shallow.length > 0) return false;
  let left = 0;
  for await (const { from, to } of all.scan()) left += to - from;
  for (const { from, to } of copied) left -= to - from;
  if (left === 0) return true;
  const tips = new Set(copied.flatMap(valuesOf));
  for await (const slice of all.scan()) if (!valuesOf(slice).every((oid) => tips.has(oid))) return false;
  return true;
}

function valuesOf({ refs, from, to }: RefSlice): readonly ObjectId[] {
  return Array.from({ length: to - from }, (_, i) => oidAt(refs, from + i));
}

/** Returns the fork's records of packs (by ascending numbers). */
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
 * Copies of packs in rows are not shared. If all their objects belong to the fork, they are merged like pushed packs.
 * But no borrowed pack may be newer than an owned one (see `nextRun`).
 */
function ownedCopies(packs: readonly PackRecord[]): readonly PackRecord[] {
  const first = packs.findLastIndex(({ where, borrowed }) => where === 'store' || borrowed === 'part') + 1;
  return packs.map((pack, i) => (i < first ? pack : { ...pack, borrowed: 'no' }));
}
