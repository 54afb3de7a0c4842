import { noObject } from '../graph/pack-graph.ts';
import type { PackId } from '../ports/pack-store.ts';
import { RepoGoneError, type PackReplacement, type ReplaceOutcome, type RepoSnapshot } from '../ports/repo-state.ts';
import { retryExpired } from '../stored-refs/retry-expired.ts';
import type { Reservation } from '../memory/admission.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { PackLease } from '../engine/leases.ts';
import { reserveFor } from '../engine/request-memory.ts';
import { cost } from '../work/costs.ts';
import { NotEnoughMemoryError } from '../work/memory-error.ts';
import type { RequestWork } from '../work/scheduler.ts';
import type { PackRun } from './geometric-plan.ts';
import { judgeState, nextCollection, type JudgedState } from './judged-state.ts';
import { dead, livenessOf } from './liveness.ts';
import type { MaintainOptions, MaintenanceReport } from './maintenance.ts';
import { judgeMemory, mergeFits, mergeMemory } from './maintenance-memory.ts';
import { makePack, type MadePack } from './make-pack.ts';
import type { MergePlan } from './merge-plan.ts';
import { holdsDead, isAllReached, nextRun, type NextRun } from './next-run.ts';
import { removeRetired } from './remove-retired.ts';

/** All maintenance together gets the same share of the processor as one token. */
const maintenanceTenant = 'maintenance';

/** How often what was made for a run is judged again, while pushes come in between. */
const judgementsMax = 8;
/**
 * Maximum number of times that a run is abandoned because the state changed too much. After that, the rest waits for
 * the next time.
 */
const changesMax = 5;
/** Delay until that time, in milliseconds. */
const retryInterval = 60_000;
/**
 * Minimum time in milliseconds to remember tips, for wants that name a value that a ref had until recently (LIM-065).
 */
const tipsKept = 3_600_000;

/**
 * Maintains one repository: merges packs by the geometric rule, collects what nothing has reached for longer than the
 * grace (GIT-127, LIM-064), and removes packs that were replaced long enough ago. Fetches and pushes may run meanwhile,
 * other maintenances too; what stops half-way is done the next time, and leaves the repository as it was or is to be.
 *
 * To look costs some 25 ns an object and node of the whole repository once its graph is loaded; a merge reads and
 * writes its packs once. Over a history of n equal pushes each object is written about log(n) times.
 *
 * @throws {RepoGoneError}
 * @throws {StorageError}
 * @throws {NotEnoughMemoryError} LIM-059.
 */
export async function maintainRepository(
  engine: GitEngine,
  repository: GitRepository,
  options: MaintainOptions,
): Promise<MaintenanceReport> {
  const first = (await repository.state.snapshot()) as RepoSnapshot;
  const memory = await reserveFor(engine, first, judgeMemory(engine, first));
  const maintenance = new Maintenance(engine, repository, options, memory);
  try {
    return await maintenance.run();
  } finally {
    maintenance.close();
    memory.release();
  }
}

class Maintenance {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #options: MaintainOptions;
  readonly #memory: Reservation;
  readonly #work: RequestWork;
  readonly #began = performance.now();
  #lease: PackLease | undefined;
  readonly #made = new Set<PackId>();
  #mergedPacks = 0;
  #madePacks = 0;
  #collectedObjects = 0;

  constructor(engine: GitEngine, repository: GitRepository, options: MaintainOptions, memory: Reservation) {
    this.#engine = engine;
    this.#repository = repository;
    this.#options = options;
    this.#memory = memory;
    this.#work = engine.scheduler.begin({ tenant: maintenanceTenant, signal: options.signal });
  }

  async run(): Promise<MaintenanceReport> {
    const { now, grace } = this.#options;
    // If a pack cannot be removed, packs must still be merged.
    const [removal] = await Promise.allSettled([removeRetired(this.#engine, this.#repository, this.#options)]);
    await this.#repository.state.forgetTips(now - Math.max(grace, tipsKept));
    const { state, retryAfter } = await this.#replaceAll();
    if (removal.status === 'rejected') throw removal.reason;
    const times = [
      removal.value.nextAt,
      this.#mergedPacks > 0 ? now + this.#options.retireGrace : undefined,
      nextCollection(state, grace),
      retryAfter === undefined ? undefined : now + retryAfter,
    ].filter((at) => at !== undefined);
    return {
      mergedPacks: this.#mergedPacks,
      madePacks: this.#madePacks,
      collectedObjects: this.#collectedObjects,
      removedPacks: removal.value.removed,
      nextAt: times.length === 0 ? undefined : Math.min(...times),
      version: state.snapshot.version,
    };
  }

  close(): void {
    this.#lease?.release();
  }

  /** Replaces packs until no work is left, or until it is better to wait. Returns the last state that it saw. */
  async #replaceAll(): Promise<{ state: JudgedState; retryAfter: number | undefined }> {
    let stepsLeft = Infinity;
    let memoryMost = Infinity;
    for (let changes = 0; ;) {
      const state = await this.#look();
      const memoryOf = (one: NextRun): number => mergeMemory(state.view, one, this.#options);
      const fits = (one: NextRun): boolean => memoryOf(one) <= memoryMost && mergeFits(state.view, one, this.#options);
      const run = await nextRun(state, this.#options, this.#made, fits, this.#work);
      // Each step leaves fewer packs, or one pack without dead objects. Only new pushes cause more steps.
      stepsLeft = Math.min(stepsLeft, 2 * state.snapshot.packs.length + changesMax);
      if (run === undefined) return { state, retryAfter: memoryMost < Infinity ? retryInterval : undefined };
      if (changes === changesMax || stepsLeft-- === 0) return { state, retryAfter: retryInterval };
      try {
        if (!(await this.#replace(state, run))) changes++;
      } catch (error) {
        // Other requests may have the memory for now: then a smaller merge is better than none.
        if (!(error instanceof NotEnoughMemoryError) || !fits(run)) throw error;
        memoryMost = (memoryOf(run) * 3) / 4;
      }
    }
  }

  async #look(): Promise<JudgedState> {
    const first = (await this.#repository.state.snapshot()) as RepoSnapshot;
    return retryExpired(this.#repository, first, async (snapshot) => {
      this.#lease?.release();
      this.#lease = this.#engine.leases.take(snapshot.packs);
      await this.#reserve(judgeMemory(this.#engine, snapshot));
      const { now, grace } = this.#options;
      return judgeState(this.#engine, this.#repository, snapshot, now - grace, this.#work);
    });
  }

  /** Makes one pack of a run and replaces the run with it. False: the state changed too much meanwhile. */
  async #replace(state: JudgedState, run: NextRun): Promise<boolean> {
    await this.#reserve(mergeMemory(state.view, run, this.#options));
    const made = await makePack(state.view, run, state.liveness, this.#options, this.#memory, this.#work);
    const replacer = new Replacer(this.#repository, this.#options.newId());
    try {
      let judged: JudgedState | undefined = state;
      for (let left = judgementsMax; judged !== undefined && left > 0; left--) {
        const leavesOut = made.pack === undefined || holdsDead(state, run);
        const replacement = this.#replacement(judged, run, made, leavesOut, left > 1);
        const outcome = await replacer.replace(replacement);
        if (outcome === 'done') {
          made.keepLoaded();
          if (made.pack !== undefined) this.#made.add(made.pack.id);
          this.#keepFront(judged, run);
          this.#mergedPacks += run.to - run.from;
          this.#madePacks += made.pack === undefined ? 0 : 1;
          this.#collectedObjects += made.plan.collected;
          if (made.plan.collected > 0) await this.#engine.prepared.recordsOf(this.#repository).drop();
          return true;
        }
        judged = outcome === 'packs changed' ? undefined : await this.#judgeAgain(state, run, made.plan);
      }
      return false;
    } finally {
      if (replacer.isKnownUndone) await made.discard();
    }
  }

  #replacement(
    state: JudgedState,
    run: PackRun,
    { pack }: MadePack,
    leavesOut: boolean,
    mayBeExact: boolean,
  ): Omit<PackReplacement, 'id'> {
    const { snapshot, liveness } = state;
    const removed = snapshot.packs.slice(run.from, run.to);
    const times = removed.map(({ at }) => at);
    const waitingTimes = times.filter((_, i) => liveness.packs[run.from + i]?.waiting === true);
    const exact = mayBeExact && isAllReached(state, run);
    const add = pack && {
      ...pack,
      after: removed[0]?.after ?? 0,
      at:
        waitingTimes.length > 0
          ? waitingTimes.reduce((a, b) => Math.max(a, b))
          : times.reduce((a, b) => Math.min(a, b)),
      exact,
    };
    return {
      at: this.#options.now + Math.floor(performance.now() - this.#began),
      remove: removed.map(({ id }) => id),
      add,
      leavesOut,
      ifVersion: leavesOut || add?.exact === true ? snapshot.version : undefined,
    };
  }

  /** Lets later readers start from the packs before a run that was replaced. */
  #keepFront({ view, snapshot }: JudgedState, run: PackRun): void {
    const { sets } = this.#engine;
    const [before, newest] = [snapshot.packs[run.from - 1], snapshot.packs.at(-1)];
    if (newest !== undefined) sets.delete(newest);
    if (before !== undefined) sets.set(before, view.set.front(run.from));
  }

  /** The state as it is now, if what was made by an older one still serves: nothing that it left out is needed. */
  async #judgeAgain(before: JudgedState, run: PackRun, plan: MergePlan): Promise<JudgedState | undefined> {
    const now = await this.#look();
    const { packs } = now.snapshot;
    // Object numbers are the same in both sets if the packs up to `run.to` are.
    if (before.snapshot.packs.slice(0, run.to).some(({ id }, i) => packs[i]?.id !== id)) return undefined;
    const { set } = now.view;
    for (let i = 0; i < plan.ordinals.length; i++) {
      if (this.#work.spend(cost.entries)) await this.#work.yield();
      if (plan.ordinals[i] !== noObject) continue;
      const pack = set.packOfObject(plan.objectStart + i);
      if (livenessOf(set, now.liveness, pack, plan.objectStart + i - pack.objectStart) !== dead) return undefined;
    }
    const nodes = plan.packs.reduce((sum, { graph }) => sum + graph.nodeCount, 0);
    for (let node = plan.nodeStart; node < plan.nodeStart + nodes; node++) {
      if (before.liveness.nodes[node] === dead && now.liveness.nodes[node] !== dead) return undefined;
    }
    return now;
  }

  /** Does not release memory before the end, so that memory in use stays counted. */
  async #reserve(bytes: number): Promise<void> {
    if (bytes > this.#memory.bytes) await this.#memory.resize(bytes);
  }
}

/** Tries one replacement, with the same id for all attempts. */
class Replacer {
  readonly #repository: GitRepository;
  readonly #id: string;
  /** True if the new pack is certainly not part of the repository, so that it may be removed. */
  isKnownUndone = true;

  constructor(repository: GitRepository, id: string) {
    this.#repository = repository;
    this.#id = id;
  }

  /** Retries once with the same id if the reply is lost. */
  async replace(replacement: Omit<PackReplacement, 'id'>): Promise<ReplaceOutcome> {
    const { state } = this.#repository;
    const outcome = await state.replacePacks({ ...replacement, id: this.#id }).catch((error: unknown) => {
      if (error instanceof RepoGoneError) throw error;
      // It may still be on its way: then what was made is the sweeper's.
      this.isKnownUndone = false;
      return state.replacePacks({ ...replacement, id: this.#id });
    });
    if (outcome === 'done') this.isKnownUndone = false;
    return outcome;
  }
}
