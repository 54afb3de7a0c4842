import {
  walkPush,
  type NewNodes,
  type NodeReference,
  type SeedVerdict,
  type WalkResult,
} from '../graph/make/push-walk.ts';
import { commitKind, kindName, tagKind } from '../object/kind.ts';
import { objectIdAt, objectIdBytes, objectIdToBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import { indexIncomingPack } from '../pack/receive/index-incoming.ts';
import type { IncomingPack } from '../pack/receive/incoming-pack.ts';
import { PackError } from '../pack/pack-error.ts';
import {
  RepoGoneError,
  storedSize,
  type CommitOutcome,
  type NewPack,
  type RecordedEvent,
  type RefUpdate,
  type RepoChange,
  type RepoSnapshot,
} from '../ports/repo-state.ts';
import type { RefTarget } from '../refs/ref-record.ts';
import type { RefName } from '../refs/ref-name.ts';
import { retryExpired } from '../stored-refs/retry-expired.ts';
import { ForwardTest, type Move } from '../repository/forward.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { cost } from '../work/costs.ts';
import type { RequestWork } from '../work/scheduler.ts';
import type { PackLease } from '../engine/leases.ts';
import { writtenMemory } from '../pack/receive/memory-plan.ts';
import { MemoryAccount } from '../pack/receive/memory-account.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import { requestMemoryMax } from '../engine/request-memory.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { Visibility, type Leaning } from '../repository/visibility.ts';
import type { ReceiveRequest } from '../wire/push/receive-request.ts';
import type { RefCommand } from '../wire/push/ref-command.ts';
import type { CommandVerdicts } from './commands.ts';
import { commitChange, commitImport } from './commit-change.ts';
import { describeUpdates } from './describe/describe-updates.ts';
import { checkHiddenTwins } from './places/hidden-twins.ts';
import { IncomingLinks } from './places/incoming-links.ts';
import { makeNewPack, type MadePack, type NewSizes } from './new-pack.ts';
import type { PackInput } from './pack-input.ts';
import { PeeledIds } from './places/peeled-ids.ts';
import { PushBoundary } from './places/push-boundary.ts';
import { PushBudget } from './push-budget.ts';
import { PushPlaces } from './places/push-places.ts';
import type { PushRules } from './push-rules.ts';

/** The parts of the request besides its commands. */
export type PushRequest = Pick<ReceiveRequest, 'atomic' | 'shallow'>;

/** A push that changed something. */
export interface PushOutcome {
  /** Milliseconds since 1970, as committed. */
  readonly at: number;
  /** The version of the state that the push made. */
  readonly version: number;
  /** The objects of the pack, if the push keeps them as uploads. */
  readonly uploaded: readonly ObjectId[];
}

/** A change with the key of this one was made before, with that result. Nothing changed. */
export class RepeatedChangeError extends Error {
  override readonly name = 'RepeatedChangeError';
  readonly result: string;

  constructor(result: string) {
    super('a change with this key was made before');
    this.result = result;
  }
}

/** Maximum number of checks if something was left out of packs that the push leaned on. */
const attempts = 10;
/** Maximum passes over history to find which of thousands of moves are forward. */
const farPassesMax = 32;

/** Bytes of tables of new nodes that each push has without its own reservation. */
const nodesUsually = 256 * 1024;

/** Destination of a push, and its memory account. */
export interface PushTarget {
  readonly engine: GitEngine;
  readonly repository: GitRepository;
  /** The state that the client read. */
  readonly snapshot: RepoSnapshot;
  readonly memory: RequestAccount;
}

/** One push to execute. */
export interface PushTask extends PushTarget {
  /** Its commands, which also receive the results. */
  readonly verdicts: CommandVerdicts;
  readonly request: PushRequest;
  /** Undefined without a pack. */
  readonly input: PackInput | undefined;
  readonly rules: PushRules;
}

/**
 * Executes the commands that `verdicts` has not refused. Returns undefined if nothing changed.
 *
 * @throws {PackError} for a pack that must be refused.
 * @throws {RepeatedChangeError} if its key was used before.
 * @throws {RepoGoneError}
 */
export async function applyPush(task: PushTask): Promise<PushOutcome | undefined> {
  const push = new Push(task);
  try {
    return await push.run(task.snapshot, task.input);
  } finally {
    await push.cleanUp();
  }
}

/** One state of the repository, with the objects that the push may lean on. */
interface Base {
  readonly view: RepositoryView;
  readonly leaning: Leaning;
}

/** New value of a command's ref. */
interface Target {
  readonly node: NodeReference;
  readonly ref: RefTarget;
}

/** Result of the walk from the new values, with the verdict of each command by number. */
interface Walk {
  readonly result: WalkResult;
  readonly verdicts: ReadonlyMap<number, SeedVerdict>;
}

class Push {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #verdicts: CommandVerdicts;
  readonly #request: PushRequest;
  readonly #memory: RequestAccount;
  readonly #rules: PushRules;
  readonly #work: RequestWork;
  readonly #budget: PushBudget;
  readonly #links: IncomingLinks;
  #nodeTables: MemoryAccount | undefined;
  #pack: IncomingPack | undefined;
  /** Lease of the packs in the state of the last attempt. */
  #lease: PackLease | undefined;
  /** The pack made by the last attempt. */
  #made: MadePack | undefined;
  /** True if the stored pack may be part of the repository by now, so that it must stay. */
  #committed: 'no' | 'unknown' | 'yes' = 'no';

  constructor({ engine, repository, verdicts, request, memory, rules }: PushTask) {
    this.#engine = engine;
    this.#repository = repository;
    this.#verdicts = verdicts;
    this.#request = request;
    this.#memory = memory;
    this.#rules = rules;
    this.#budget = new PushBudget(rules);
    this.#links = new IncomingLinks(rules, memory);
    const { tenant, signal } = rules;
    this.#work = engine.scheduler.begin({ tenant, signal, onSpend: (...spent) => this.#budget.spend(...spent) });
  }

  async run(first: RepoSnapshot, input: PackInput | undefined): Promise<PushOutcome | undefined> {
    await this.#goOver();
    let base = await this.#open(first);
    if (input !== undefined) this.#pack = await this.#index(base, input);
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (this.#isDecided()) return undefined;
      const change = await this.#prepare(base);
      if (change === undefined) return undefined;
      this.#rules.stillWanted?.();
      this.#work.check();
      this.#work.keep();
      const outcome = await this.#commit(change);
      this.#committed = 'no';
      if (outcome.kind === 'done') return this.#conclude(change, outcome);
      if (outcome.kind === 'repeated') throw new RepeatedChangeError(outcome.result);
      if (outcome.kind === 'events full') throw new PackError('too many events wait', 'too many events wait');
      base = await this.#open((await this.#repository.state.snapshot()) as RepoSnapshot);
    }
    throw new Error('the packs of the repository changed too often during a push');
  }

  /** Removes everything that a failed push has stored. The sweep removes what this misses. */
  async cleanUp(): Promise<void> {
    this.#lease?.release();
    await this.#pack?.release();
    const isOver = this.#committed === 'no';
    if (isOver || this.#made?.isCopy === true) await this.#pack?.discard().catch(() => {});
    const made = this.#made?.pack;
    if (isOver && made?.where === 'store') await this.#repository.packs.remove(made.id).catch(() => {});
  }

  /** Tests if every command has been refused, and nothing is uploaded. With `atomic`, one refusal is enough. */
  #isDecided(): boolean {
    if (this.#request.atomic) this.#verdicts.applyAtomic();
    return this.#rules.isUpload !== true && this.#verdicts.open().length === 0;
  }

  /** The objects that stay without a ref. */
  #uploaded(): readonly ObjectId[] {
    const pack = this.#pack;
    if (this.#rules.isUpload !== true || pack === undefined) return [];
    const id = new Uint8Array(objectIdBytes);
    return Array.from({ length: pack.sent }, (_, ordinal) => {
      pack.index.copyId(ordinal, id, 0);
      return objectIdAt(id);
    });
  }

  #open(first: RepoSnapshot): Promise<Base> {
    return retryExpired(this.#repository, first, async (snapshot) => {
      this.#lease?.release();
      this.#lease = this.#engine.leases.take(snapshot.packs);
      const view = await RepositoryView.open(this.#engine, this.#repository, snapshot, this.#work, this.#memory);
      await view.loadIndexes();
      const leaning = await new Visibility(view, this.#rules.hiddenRefs).leaning();
      return { view, leaning: alsoOn(leaning, view, this.#rules.leansOnBlobs ?? []) };
    });
  }

  async #index({ view, leaning }: Base, input: PackInput): Promise<IncomingPack> {
    const { blobMax, objectMax, commitMax, chainDepthMax, chainMax, strictObjects } = this.#rules;
    const places = new PushPlaces(view, leaning, undefined, this.#links);
    const pack = await indexIncomingPack(input.bytes(), {
      codec: this.#engine.codec,
      store: this.#repository.packs,
      blobMax,
      objectMax,
      commitMax,
      chainDepthMax,
      chainMax,
      memoryMax: requestMemoryMax(this.#engine, this.#rules.memoryMax),
      memoryLeft: this.#memory.planMost,
      work: this.#work,
      received: (bytes) => this.#budget.receive(bytes),
      memory: this.#memory,
      buffers: this.#engine.buffers,
      threads: this.#engine.threads,
      leansOnNothing: places.leansOnNothing,
      bodyLength: this.#rules.bodyLength,
      strict: strictObjects,
      storedNumber: (ids, at) => places.findStored(ids, at),
      stored: (ids, at) => {
        const object = places.findStored(ids, at);
        return object < 0 ? undefined : view.read(object);
      },
      visit: (ordinal, kind, body) => this.#links.add(ordinal, kind, body),
    });
    this.#pack = pack;
    if (leaning.isPartial) {
      await checkHiddenTwins(view, new PushPlaces(view, leaning, pack, this.#links), pack);
    }
    return pack;
  }

  /** Checks the commands against one state and prepares the change. Undefined if no work is left. */
  async #prepare({ view, leaning }: Base): Promise<RepoChange | undefined> {
    const places = new PushPlaces(view, leaning, this.#pack, this.#links);
    const boundary = new PushBoundary(
      places,
      view.snapshot.shallow,
      this.#request.shallow,
      this.#rules.acceptShallow === true,
    );
    const walk = await this.#walk(places, boundary);
    const targets = await this.#judge(view, places, walk);
    await this.#goOver();
    if (this.#isDecided()) return undefined;
    const forward = new ForwardTest(view.set, walk.result.nodes);
    // Keeping the old value of a forward-moved ref is harmless, but refusing such a move is not.
    const mayRefuse = this.#rules.denyNonFastForward || this.#rules.mustBeForward !== undefined;
    await forward.prepare(this.#moves(targets), this.#work, mayRefuse ? Infinity : farPassesMax);
    if (mayRefuse) this.#refuseNonForward(targets, forward);
    if (this.#isDecided()) return undefined;

    const events = await this.#events(view, places, walk.result.nodes, targets);
    const newPack = await this.#newPack(view, places, walk.result.nodes);
    await this.#goOver();
    const updates = this.#verdicts.open().map((number): RefUpdate => {
      const { name, old } = this.#command(number);
      const target = targets.get(number);
      const isForward = old === null || (target !== undefined && forward.isForward(old, target.node));
      const event = events.get(number);
      const change = { name, old, new: target?.ref ?? null, forward: isForward };
      return event === undefined ? change : { ...change, event };
    });
    return {
      pushId: this.#rules.pushId,
      at: this.#rules.now(),
      updates,
      atomic: this.#request.atomic,
      addPacks: newPack === undefined ? [] : [newPack],
      leansOn: view.snapshot.packs.map((record) => record.id),
      uploaded: this.#uploaded(),
      ...(this.#rules.keyed && { keyed: this.#rules.keyed }),
      addShallow: newPack === undefined ? [] : boundary.newEnds(walk.result.nodes),
      ...(this.#rules.isImport === true ? { isImport: true } : {}),
    };
  }

  /** Counts one pass over all commands. */
  async #goOver(): Promise<void> {
    if (this.#work.spend(cost.steps, this.#verdicts.commands.length)) await this.#work.yield();
  }

  async #walk(places: PushPlaces, boundary: PushBoundary): Promise<Walk> {
    await this.#goOver();
    const creating = this.#verdicts.open().filter((number) => this.#verdicts.commands[number]?.new !== null);
    const ids = [
      ...creating.map((number) => this.#verdicts.commands[number]?.new as ObjectId),
      // As nodes, they are found like the former values of refs.
      ...this.#uploaded(),
    ];
    const seeds = new Uint8Array(ids.length * objectIdBytes);
    ids.forEach((id, i) => writeObjectId(id, seeds, i * objectIdBytes));
    const result = await walkPush(this.#engine.codec, places, seeds, {
      work: this.#work,
      boundary,
      memoryMax: requestMemoryMax(this.#engine, this.#rules.memoryMax),
      memory: this.#memory,
      collectBeside: places.leansOnNothing ? this.#pack?.collectBeside : undefined,
      tables: (this.#nodeTables ??= new MemoryAccount(
        this.#memory,
        Math.max(nodesUsually, writtenMemory(this.#pack?.index.count ?? 0)),
      )),
    });
    return { result, verdicts: new Map(creating.map((number, i) => [number, result.verdicts[i] as SeedVerdict])) };
  }

  /** Refuses commands whose value is incomplete or of the wrong kind. Returns the targets of the others. */
  async #judge(view: RepositoryView, places: PushPlaces, walk: Walk): Promise<ReadonlyMap<number, Target>> {
    const targets = new Map<number, Target>();
    const peeledIds = new PeeledIds(view, places, walk.result.nodes);
    for (const [number, verdict] of walk.verdicts) {
      if (this.#work.spend(cost.steps)) await this.#work.yield();
      const { name, new: oid } = this.#command(number);
      if (verdict.kind === 'missing') {
        this.#verdicts.refuse(number, 'missing necessary objects');
      } else if (verdict.kind === 'cut off') {
        this.#verdicts.refuse(number, 'shallow update not allowed');
      } else if (name.startsWith('refs/heads/') && verdict.objectKind !== commitKind) {
        this.#verdicts.refuse(number, 'not a commit');
      } else {
        const peeled = verdict.objectKind === tagKind ? await peeledIds.of(verdict.node) : null;
        const ref = { oid: oid as ObjectId, kind: kindName(verdict.objectKind), peeled };
        targets.set(number, { node: verdict.node, ref });
      }
    }
    return targets;
  }

  /** Returns the moves that are not refused, without deletions and creations. */
  #moves(targets: ReadonlyMap<number, Target>): readonly Move[] {
    return this.#verdicts.open().flatMap((number) => {
      const { old } = this.#command(number);
      const target = targets.get(number);
      return old === null || target === undefined ? [] : [{ old, value: target.node }];
    });
  }

  /** Refuses moves that are not forward but must be (GIT-126, REPO-244). */
  #refuseNonForward(targets: ReadonlyMap<number, Target>, forward: ForwardTest): void {
    const { denyNonFastForward, mustBeForward } = this.#rules;
    for (const number of this.#verdicts.open()) {
      const { name, old, new: value } = this.#command(number);
      const target = targets.get(number);
      if (target === undefined || old === null || value === old) continue;
      const isDenied = denyNonFastForward && name.startsWith('refs/heads/');
      const mustMoveForward = isDenied || mustBeForward?.(number) === true;
      if (mustMoveForward && !forward.isForward(old, target.node)) this.#verdicts.refuse(number, 'non-fast-forward');
    }
  }

  /** Returns the events of the commands that change their ref, by number (REPO-194). */
  async #events(
    view: RepositoryView,
    places: PushPlaces,
    nodes: NewNodes,
    targets: ReadonlyMap<number, Target>,
  ): Promise<ReadonlyMap<number, RecordedEvent | undefined>> {
    const { describe } = this.#rules;
    if (describe === undefined) return new Map();
    const changing = this.#verdicts.open().filter((number) => {
      const { old, new: value } = this.#command(number);
      return old !== value;
    });
    const updates = changing.map((number) => {
      const { name, old } = this.#command(number);
      const target = targets.get(number);
      return { name, before: old, after: target?.ref.oid ?? null, node: target?.node };
    });
    const events = describe(await describeUpdates(view, places, nodes, updates, this.#memory));
    return new Map(changing.map((number, i) => [number, events[i]]));
  }

  /** Returns the pack to add, stored unless it is small; undefined if the push brings nothing new. */
  async #newPack(view: RepositoryView, places: PushPlaces, nodes: NewNodes): Promise<NewPack | undefined> {
    const pack = this.#pack;
    if (pack === undefined || (pack.index.count === 0 && !nodes.complete.includes(1))) return undefined;
    const check = async (sizes: NewSizes): Promise<void> => {
      this.#budget.checkGraph(sizes.graphSize);
      await this.#budget.checkStorage(view.snapshot.packs, storedSize(sizes));
    };
    this.#made = await makeNewPack({ view, places, pack, nodes, memory: this.#memory }, check, this.#made);
    const isAllReached = this.#rules.isUpload !== true && !this.#verdicts.anyRefused;
    const isOnly = view.snapshot.packs.length === 0 && isAllReached;
    return { ...this.#made.pack, exact: isOnly && this.#made.pack.exact };
  }

  /** @throws {PushUncertainError} */
  async #commit(change: RepoChange): Promise<CommitOutcome> {
    const { state } = this.#repository;
    const beforePacks = (): void => void (this.#committed = 'unknown');
    try {
      if (change.isImport === true) {
        return await commitImport(state, change, this.#work, {
          beforePacks,
          between: () => this.#rules.stillWanted?.(),
        });
      }
      beforePacks();
      return await commitChange(state, change, this.#work);
    } catch (error) {
      if (error instanceof RepoGoneError) this.#committed = 'no';
      throw error;
    }
  }

  #conclude(change: RepoChange, outcome: CommitOutcome & { kind: 'done' }): PushOutcome | undefined {
    this.#verdicts.refuseUncommitted(outcome.updates);
    const uploaded = this.#uploaded();
    const changed = change.updates.some(
      (update, i) => outcome.updates[i]?.kind === 'ok' && update.old !== (update.new?.oid ?? null),
    );
    if (!changed && uploaded.length === 0) return undefined;
    this.#committed = 'yes';
    return { at: change.at, version: outcome.version, uploaded };
  }

  /** Returns a command that was not refused, so that its name is valid. */
  #command(number: number): RefCommand & { readonly name: RefName } {
    return this.#verdicts.commands[number] as RefCommand & { readonly name: RefName };
  }
}

/** Adds uploaded blobs to what a push may lean on, even if hidden refs or another repository also have them. */
function alsoOn(leaning: Leaning, view: RepositoryView, blobs: readonly ObjectId[]): Leaning {
  if (!leaning.isPartial || blobs.length === 0) return leaning;
  const own = new Set(blobs.map((oid) => view.findObject(objectIdToBytes(oid), 0)));
  return { ...leaning, mayLeanOnObject: (object) => own.has(object) || leaning.mayLeanOnObject(object) };
}
