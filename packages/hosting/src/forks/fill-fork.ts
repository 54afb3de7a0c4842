import {
  cost,
  NotEnoughMemoryError,
  planFork,
  recordsOf,
  RepoGoneError,
  type ForkPlan,
  type GitEngine,
  type NewPack,
  type PackId,
  type RepoSnapshot,
} from '@packhouse/git';
import { memoryError } from '../limits/capacity-error.ts';
import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import type { PlannedBytes } from '../limits/planned-bytes.ts';
import { storageRoom } from '../limits/storage-room.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { HostedRepo, TokenRecord } from '../ports/repo-storage.ts';
import { finishRepo } from '../lifecycle/finish-repo.ts';
import { takePacks } from './take-packs.ts';

/** Parameters of a fork in progress. */
export interface ForkWork {
  readonly account: string;
  readonly parent: RepoRecord;
  /** The reserved record. The state of the repo exists, and is empty. */
  readonly repo: RepoRecord;
  readonly firstToken: TokenRecord;
  readonly defaultBranchOnly: boolean;
  /** Bytes that the running forks of this process will add. */
  readonly planned: PlannedBytes;
  readonly signal: AbortSignal;
  /** Receives the number of objects in the fork. */
  readonly progress: { objects: number };
}

/** Attempts before a fork fails because the parent's packs were replaced during each. */
const attemptsMax = 20;
/** Cost in rows of the transactions, the token and the file links of a fork. Its refs cost more on top. */
const rowsOfFork = 1_000;
/** Rows that are read and written for a ref. */
const rowsOfRef = 4;

/**
 * Gives a fork the refs and packs of one snapshot of its parent, and makes it ready. The caller undoes the repo after
 * any error.
 *
 * @throws {HostingError} for errors that the client gets.
 */
export async function fillFork(context: Context, engine: GitEngine, work: ForkWork): Promise<RepoRecord> {
  const { account, repo } = work;
  // Concurrent forks take turns.
  const turn = engine.scheduler.begin({ tenant: account });
  await turn.yield();
  turn.spend(cost.rows, rowsOfFork);
  const fork = context.storage.repo(account, repo.id, repo.jurisdiction);
  const taken = new Set<PackId>();
  try {
    const version = await copied(context, engine, work, fork, taken);
    const birth = { kind: 'forked', parent: work.parent } as const;
    const filling = { defaultBranch: repo.defaultBranch, version, birth, firstToken: work.firstToken };
    return await finishRepo(context, account, repo, fork, filling);
  } catch (error) {
    if (taken.size > 0) await removeUnfound(context, work, fork).catch(context.report);
    if (error instanceof RepoGoneError) throw new HostingError('repoNotFound');
    throw memoryError(error) ?? error;
  } finally {
    work.planned.forget(repo.id);
  }
}

/**
 * Copies refs and packs, and returns the new version of the fork's state, or undefined if the parent is empty. `taken`
 * receives the ids of packs that the fork has in the store.
 */
async function copied(
  context: Context,
  engine: GitEngine,
  work: ForkWork,
  fork: HostedRepo,
  taken: Set<PackId>,
): Promise<number | undefined> {
  const { account, parent, repo, planned, signal, progress } = work;
  // REPO-101: bytes stay in their jurisdiction. The parent's namespace was deleted, and created again in another one.
  if (repo.jurisdiction !== parent.jurisdiction) throw new HostingError('repoNotFound');
  const from = context.storage.repo(account, parent.id, parent.jurisdiction);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    requireWanted(signal);
    const snapshot = await from.state.snapshot();
    if (snapshot === undefined) throw new Error('The state of the parent answered no snapshot');
    const plan = await planFrom(context, engine, work, from, snapshot);
    if (plan === undefined) continue;
    if (plan.refs.length === 0) return undefined;
    const left = await storageRoom(context, account);
    // GIT-166: shared bytes count for the fork, too.
    const fits = plan.bytes <= context.settings.repo_storage_max;
    if (!fits || !planned.tryPlan(account, repo.id, plan.bytes, left)) throw new HostingError('importTooLarge');
    requireWanted(signal);
    const packs = await takePacks({ context, engine, work, from, fork }, plan.packs, taken);
    if (packs === undefined) continue;
    requireWanted(signal);
    const version = await committed(context, engine, work, fork, plan, packs);
    progress.objects = plan.objects;
    const used = new Set(packs.map(({ id }) => id));
    // The fork is complete. The sweep removes packs for which this fails.
    for (const id of taken) if (!used.has(id)) await fork.packs.remove(id).catch(context.report);
    return version;
  }
  throw new Error(`The packs of the parent were replaced ${attemptsMax} times while it was forked`);
}

/** Returns undefined if planning failed and the parent has changed: packs of the snapshot may be deleted by now. */
async function planFrom(
  { settings }: Context,
  engine: GitEngine,
  { account, defaultBranchOnly, signal }: ForkWork,
  from: HostedRepo,
  snapshot: RepoSnapshot,
): Promise<ForkPlan | undefined> {
  try {
    const work = engine.scheduler.begin({ tenant: account, signal });
    return await planFork(engine, from, snapshot, { defaultBranchOnly, hiddenRefs: settings.hidden_refs, work });
  } catch (error) {
    requireWanted(signal);
    if (error instanceof NotEnoughMemoryError) throw error;
    if ((await from.state.snapshot(snapshot.version)) === undefined) throw error;
    return undefined;
  }
}

/**
 * Creates the refs, adds the packs, and returns the version of the state. Each slice of refs is one commit, so that
 * transactions are short and other work runs in between. Only the last commit adds the packs: before it, the refs do
 * not yet reach all objects that the fork needs.
 */
async function committed(
  { ids, clock }: Context,
  engine: GitEngine,
  { account, signal }: ForkWork,
  { state }: HostedRepo,
  { refs, shallow }: ForkPlan,
  addPacks: readonly NewPack[],
): Promise<number> {
  const work = engine.scheduler.begin({ tenant: account });
  let version = 0;
  for (const [i, slice] of refs.entries()) {
    const isLast = i === refs.length - 1;
    const outcome = await state.commit({
      pushId: ids.secret(),
      at: clock.now(),
      updates: [...recordsOf(slice)].map(({ name, ...target }) => ({ name, old: null, new: target, forward: true })),
      atomic: true,
      addPacks: isLast ? addPacks : [],
      leansOn: [],
      addShallow: isLast ? shallow : [],
      isImport: true,
    });
    if (outcome.kind !== 'done' || outcome.updates.some(({ kind }) => kind !== 'ok')) {
      throw new Error(`The state of a fork that nobody else writes to refused its refs: ${outcome.kind}`);
    }
    version = outcome.version;
    if (isLast) break;
    // Required, since promises of a storage without I/O would let no other work run.
    work.spend(cost.rows, rowsOfRef * (slice.to - slice.from));
    await work.yield();
    requireWanted(signal);
  }
  return version;
}

/**
 * Removes packs that a deleted fork took after its erasure, which would look again only after a day. If the fork still
 * exists, the caller that undoes it finds them. Removes only leftovers of the fork: packs that it did not get yet
 * belong to the parent.
 */
async function removeUnfound({ catalog }: Context, { account, repo }: ForkWork, { packs }: HostedRepo): Promise<void> {
  if ((await catalog(account).repoById(repo.id)) !== undefined) return;
  for (const id of await packs.leftovers(Number.MAX_SAFE_INTEGER)) await packs.remove(id);
}

/** @throws {HostingError} `repoNotFound` if the fork was deleted or the service stops. */
function requireWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new HostingError('repoNotFound');
}
