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

/** One fork on its way. */
export interface ForkWork {
  readonly account: string;
  readonly parent: RepoRecord;
  /** As it was reserved; its state has begun, and is empty. */
  readonly repo: RepoRecord;
  readonly firstToken: TokenRecord;
  readonly defaultBranchOnly: boolean;
  /** Of all forks of this process. */
  readonly planned: PlannedBytes;
  readonly signal: AbortSignal;
  /** Told how many objects the fork holds. */
  readonly progress: { objects: number };
}

/** How often it is begun anew because the parent's packs were replaced meanwhile. */
const attemptsMax = 20;
/** A fork takes as long as so many rows beside those of its refs: transactions, a token, links of files. */
const rowsOfFork = 1_000;
/** Rows that are looked up and written for a ref. */
const rowsOfRef = 4;

/**
 * Gives a fork the refs and packs of its parent as they are in one state of that, and makes it ready.
 *
 * @throws {HostingError} for what a client is to be told. The caller undoes the repo, whatever is thrown.
 */
export async function fillFork(context: Context, engine: GitEngine, work: ForkWork): Promise<RepoRecord> {
  const { account, repo } = work;
  // Forks that come at the same time take turns.
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

/** Answers the version of the fork's state; undefined: there was nothing to copy. `taken`: gets packs that the fork has. */
async function copied(
  context: Context,
  engine: GitEngine,
  work: ForkWork,
  fork: HostedRepo,
  taken: Set<PackId>,
): Promise<number | undefined> {
  const { account, parent, repo, planned, signal, progress } = work;
  // Its namespace went with the parent, and another was made for the fork: what was stored in one stays there (REPO-101).
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
    // GIT-166: what is shared counts for the fork, too.
    const fits = plan.bytes <= context.settings.repo_storage_max;
    if (!fits || !planned.tryPlan(account, repo.id, plan.bytes, left)) throw new HostingError('importTooLarge');
    requireWanted(signal);
    const packs = await takePacks({ context, engine, work, from, fork }, plan.packs, taken);
    if (packs === undefined) continue;
    requireWanted(signal);
    const version = await committed(context, engine, work, fork, plan, packs);
    progress.objects = plan.objects;
    const used = new Set(packs.map(({ id }) => id));
    // What cannot be removed is the sweep's: the fork is whole.
    for (const id of taken) if (!used.has(id)) await fork.packs.remove(id).catch(context.report);
    return version;
  }
  throw new Error(`The packs of the parent were replaced ${attemptsMax} times while it was forked`);
}

/** Undefined: the parent has another state by now, and what it was read from may be gone. */
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
 * Creates the refs and adds the packs; returns the version of the state. Each slice of refs is one commit, so that no
 * transaction is long and others run in between. The packs come with the last one: until then nothing in them is known to
 * be needed.
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
    // Always: a storage whose promises resolve without I/O would let nobody else run.
    work.spend(cost.rows, rowsOfRef * (slice.to - slice.from));
    await work.yield();
    requireWanted(signal);
  }
  return version;
}

/**
 * What the fork of a repo that is deleted already took after its erasure: that looks again after a day only. While it is
 * not deleted, whoever undoes it finds all of it. Only what it has begun is its own to remove: packs that were still to be
 * shared are the parent's.
 */
async function removeUnfound({ catalog }: Context, { account, repo }: ForkWork, { packs }: HostedRepo): Promise<void> {
  if ((await catalog(account).repoById(repo.id)) !== undefined) return;
  for (const id of await packs.leftovers(Number.MAX_SAFE_INTEGER)) await packs.remove(id);
}

/** @throws {HostingError} once the fork was deleted: whoever did it was told so, it is as if it had never been. */
function requireWanted(signal: AbortSignal): void {
  if (signal.aborted) throw new HostingError('repoNotFound');
}
