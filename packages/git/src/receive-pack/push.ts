import { newPackGraph } from '../graph/new-graph.ts';
import { writeGraphFile } from '../graph/graph-file.ts';
import { closedFlag, type PackGraph } from '../graph/pack-graph.ts';
import { walkPush, type SeedVerdict, type WalkResult } from '../graph/push-walk.ts';
import { commitKind, kindName, tagKind } from '../object/kind.ts';
import { objectIdAt, objectIdBytes, writeObjectId, type ObjectId } from '../object/object-id.ts';
import { indexIncomingPack } from '../pack/index-incoming.ts';
import type { IncomingPack } from '../pack/incoming-pack.ts';
import { PackError } from '../pack/pack-error.ts';
import type { CommitOutcome, NewPack, RefTarget, RefUpdate, RepoChange, RepoSnapshot } from '../ports/repo-state.ts';
import { isForward } from '../repository/forward.ts';
import type { GitEngine, GitRepository } from '../repository/engine.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { Visibility } from '../repository/visibility.ts';
import { createTurns } from '../turns.ts';
import type { CommandVerdicts } from './commands.ts';
import { IncomingLinks } from './incoming-links.ts';
import type { PackInput } from './pack-input.ts';
import { PushPlaces } from './push-places.ts';

/** What a push must keep to. Sizes are bytes. */
export interface PushRules {
  /** Prefixes of hidden refs (GIT-129). */
  readonly hiddenRefs: readonly string[];
  /** GIT-126. */
  readonly denyNonFastForward: boolean;
  /** GIT-146. */
  readonly strictObjects: boolean;
  /** LIM-051. */
  readonly blobMax: number;
  /** LIM-056. */
  readonly objectMax: number;
  /** LIM-059. */
  readonly memoryMax: number;
  /** LIM-062. */
  readonly chainDepthMax: number;
  /** LIM-050. */
  readonly repoStorageMax: number;
  /** How many bytes the account may still store (LIM-012). */
  readonly accountStorageLeft: () => Promise<number>;
  /** Random, names this push for `RepoState.outcome`. */
  readonly pushId: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A push that changed something. */
export interface PushOutcome {
  /** Milliseconds since 1970, as committed. */
  readonly at: number;
  /** The version of the state that the push made. */
  readonly version: number;
}

/** A pack up to this size lies in rows with its files: one transaction then makes a whole push durable. */
const rowPackMax = 1_500_000;
/** No single row may be larger. */
const rowFileMax = 1_900_000;
/** How often a push is checked again when packs it leaned on were merged meanwhile. */
const attempts = 5;

/**
 * Carries out the commands that `verdicts` has not refused, and notes there what became of each. Undefined: nothing
 * was changed.
 *
 * @throws {PackError} for a pack that must be refused.
 * @throws {RepoGoneError}
 */
export async function applyPush(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  verdicts: CommandVerdicts,
  atomic: boolean,
  input: PackInput | undefined,
  rules: PushRules,
): Promise<PushOutcome | undefined> {
  const push = new Push(engine, repository, verdicts, atomic, rules);
  try {
    return await push.run(snapshot, input);
  } finally {
    await push.cleanUp();
  }
}

class Push {
  readonly #engine: GitEngine;
  readonly #repository: GitRepository;
  readonly #verdicts: CommandVerdicts;
  readonly #atomic: boolean;
  readonly #rules: PushRules;
  readonly #links = new IncomingLinks();
  #pack: IncomingPack | undefined;
  /** The pack as it was stored for the first attempt, and how many nodes its graph has. */
  #stored: { readonly pack: NewPack; readonly nodes: number } | undefined;
  /** Whether what is stored may belong to the repository by now; then it must stay. */
  #committed: 'no' | 'unknown' | 'yes' = 'no';

  constructor(
    engine: GitEngine,
    repository: GitRepository,
    verdicts: CommandVerdicts,
    atomic: boolean,
    rules: PushRules,
  ) {
    this.#engine = engine;
    this.#repository = repository;
    this.#verdicts = verdicts;
    this.#atomic = atomic;
    this.#rules = rules;
  }

  async run(first: RepoSnapshot, input: PackInput | undefined): Promise<PushOutcome | undefined> {
    let snapshot = first;
    let view = await this.#open(snapshot);
    if (input !== undefined) {
      this.#pack = await this.#index(view, input);
      await this.#checkHiddenTwins(view, this.#pack);
    }
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (this.#atomic) this.#verdicts.applyAtomic();
      if (this.#verdicts.open().length === 0) return undefined;
      const change = await this.#prepare(view);
      if (change === undefined) return undefined;
      const outcome = await this.#commit(change);
      this.#committed = 'no';
      if (outcome.kind === 'done') return this.#conclude(change, outcome);
      snapshot = (await this.#repository.state.snapshot()) as RepoSnapshot;
      view = await this.#open(snapshot);
    }
    throw new Error('the packs of the repository changed too often during a push');
  }

  /** Removes what a push that came to nothing has stored. What this misses, the sweeper finds. */
  async cleanUp(): Promise<void> {
    if (this.#committed === 'no') await this.#pack?.discard().catch(() => {});
  }

  async #open(snapshot: RepoSnapshot): Promise<{ view: RepositoryView; visibility: Visibility }> {
    const view = await RepositoryView.open(this.#engine, this.#repository, snapshot);
    await view.loadIndexes();
    return { view, visibility: new Visibility(snapshot, view.set, this.#rules.hiddenRefs) };
  }

  #index(
    { view, visibility }: { view: RepositoryView; visibility: Visibility },
    input: PackInput,
  ): Promise<IncomingPack> {
    const { blobMax, objectMax, chainDepthMax, memoryMax, strictObjects } = this.#rules;
    const places = new PushPlaces(view, visibility, undefined, this.#links);
    return indexIncomingPack(input.bytes(), {
      codec: this.#engine.codec,
      store: this.#repository.packs,
      blobMax,
      objectMax,
      chainDepthMax,
      memoryMax,
      strict: strictObjects,
      mayBeStored: (ids, at) => places.findStored(ids, at) >= 0,
      stored: (ids, at) => {
        const object = places.findStored(ids, at);
        return object < 0 ? undefined : view.read(object);
      },
      visit: (ordinal, kind, body) => this.#links.add(ordinal, kind, body),
    });
  }

  /**
   * GIT-147 for what hidden refs alone reach: the indexer must not find it as a base, so it did not compare it.
   *
   * @throws {PackError} `object collision <oid>`.
   */
  async #checkHiddenTwins(
    { view, visibility }: { view: RepositoryView; visibility: Visibility },
    pack: IncomingPack,
  ): Promise<void> {
    if (visibility.refs.length === view.snapshot.refs.length) return;
    const places = new PushPlaces(view, visibility, pack, this.#links);
    const turns = createTurns();
    const id = new Uint8Array(objectIdBytes);
    for (let ordinal = 0; ordinal < pack.sent; ordinal++) {
      if (turns.due()) await turns.pass();
      pack.index.copyId(ordinal, id, 0);
      const hidden = places.findHidden(id, 0);
      if (hidden < 0) continue;
      const [theirs, ours] = [await view.read(hidden), await pack.objects.read(ordinal)];
      const { length } = ours.body;
      const isSame =
        theirs.kind === ours.kind &&
        theirs.body.length === length &&
        this.#engine.codec.equal(theirs.body, 0, ours.body, 0, length);
      if (!isSame) throw new PackError(`object collision ${objectIdAt(id)}`);
    }
  }

  /** Checks the commands against one snapshot and prepares the change; undefined if nothing is left to do. */
  async #prepare({
    view,
    visibility,
  }: {
    view: RepositoryView;
    visibility: Visibility;
  }): Promise<RepoChange | undefined> {
    const pack = this.#pack;
    const places = new PushPlaces(view, visibility, pack, this.#links);
    const walk = await this.#walk(places);
    const targets = this.#judge(view, places, walk);
    if (this.#atomic) this.#verdicts.applyAtomic();
    const open = this.#verdicts.open();
    if (open.length === 0) return undefined;

    const newPack = await this.#newPack(view, places, walk);
    const needsForward =
      this.#rules.denyNonFastForward || (newPack === undefined && view.snapshot.packs.some((record) => record.exact));
    const updates: RefUpdate[] = open.map((number) => {
      const { name, old } = this.#verdicts.commands[number] as { name: RefUpdate['name']; old: ObjectId | null };
      const target = targets.get(number);
      const forward =
        old === null ||
        (needsForward && target !== undefined && isForward(view.set, walk.result.nodes, old, target.node));
      return { name, old, new: target?.target ?? null, forward };
    });
    if (this.#rules.denyNonFastForward) {
      updates.forEach(({ name, old, new: target, forward }, i) => {
        const isMove = name.startsWith('refs/heads/') && target !== null && old !== null && target.oid !== old;
        if (isMove && !forward) this.#verdicts.refuse(open[i] as number, 'non-fast-forward');
      });
      if (this.#atomic) this.#verdicts.applyAtomic();
    }
    const allowed = updates.filter((_, i) => this.#verdicts.reason(open[i] as number) === undefined);
    if (allowed.length === 0) return undefined;
    return {
      pushId: this.#rules.pushId,
      at: this.#rules.now(),
      updates: allowed,
      atomic: this.#atomic,
      addPacks: newPack === undefined ? [] : [newPack],
      leansOn: view.snapshot.packs.map((record) => record.id),
    };
  }

  async #walk(places: PushPlaces): Promise<{ result: WalkResult; verdicts: ReadonlyMap<number, SeedVerdict> }> {
    const creating = this.#verdicts.open().filter((number) => this.#verdicts.commands[number]?.new !== null);
    const seeds = new Uint8Array(creating.length * objectIdBytes);
    creating.forEach((number, i) =>
      writeObjectId(this.#verdicts.commands[number]?.new as ObjectId, seeds, i * objectIdBytes),
    );
    const result = await walkPush(this.#engine.codec, places, seeds, createTurns());
    return { result, verdicts: new Map(creating.map((number, i) => [number, result.verdicts[i] as SeedVerdict])) };
  }

  /** Refuses commands whose value is not complete or of the wrong kind; answers what the others set their refs to. */
  #judge(
    view: RepositoryView,
    places: PushPlaces,
    walk: { result: WalkResult; verdicts: ReadonlyMap<number, SeedVerdict> },
  ): ReadonlyMap<number, { target: RefTarget; node: number }> {
    const targets = new Map<number, { target: RefTarget; node: number }>();
    for (const [number, verdict] of walk.verdicts) {
      const command = this.#verdicts.commands[number];
      if (command === undefined || command.new === null) continue;
      if (verdict.kind === 'missing') {
        this.#verdicts.refuse(number, 'missing necessary objects');
      } else if (command.name?.startsWith('refs/heads/') === true && verdict.objectKind !== commitKind) {
        this.#verdicts.refuse(number, 'not a commit');
      } else {
        const peeled = verdict.objectKind === tagKind ? peeledId(view, places, walk.result, verdict.node) : null;
        targets.set(number, {
          node: verdict.node,
          target: { oid: command.new, kind: kindName(verdict.objectKind), peeled },
        });
      }
    }
    return targets;
  }

  /** The pack to add, stored if it is not small; undefined if the push brings nothing new. */
  async #newPack(view: RepositoryView, places: PushPlaces, walk: { result: WalkResult }): Promise<NewPack | undefined> {
    const { nodes } = walk.result;
    const pack = this.#pack;
    if (pack === undefined || (pack.index.count === 0 && !nodes.complete.includes(true))) return undefined;
    await this.#checkStorage(view, pack.packSize);
    const exact = view.snapshot.packs.length === 0 && !this.#verdicts.anyRefused;
    if (this.#stored !== undefined) {
      // Files name what lies in older packs by id, so they are right for the new manifest if the same nodes came out.
      if (nodes.count !== this.#stored.nodes) throw new Error('packs that a push leaned on are gone');
      return { ...this.#stored.pack, exact: exact && this.#stored.pack.exact };
    }
    const id = new Uint8Array(objectIdBytes);
    const graph = newPackGraph(
      {
        packChecksum: pack.checksum,
        after: view.set.packs.at(-1)?.graph.packChecksum ?? new Uint8Array(objectIdBytes),
        count: pack.index.count,
        kinds: pack.kinds,
        offsets: pack.index.offsets,
        bases: pack.bases,
        sizes: pack.sizes,
        home: (ordinal) => {
          if (view.set.packs.length === 0) return ordinal;
          pack.index.copyId(ordinal, id, 0);
          return places.find(id, 0);
        },
        copyId: (place, target, at) => places.copyId(place, target, at),
        copyNodeId: (node, target, at) => places.copyNodeId(node, target, at),
      },
      nodes,
    );
    const graphFile = writeGraphFile(graph, this.#engine.codec);
    const idx = pack.idx();
    // A pack without objects is kept where it brings nodes: commits that an earlier push left without a ref.
    const packId = pack.index.count === 0 ? await this.#repository.packs.reserve() : pack.id;
    const record = {
      id: packId,
      objects: pack.index.count,
      packSize: pack.packSize,
      idxSize: idx.length,
      graphSize: graphFile.length,
      exact: exact && isExact(graph),
    };
    const small =
      pack.bytes !== undefined &&
      pack.packSize <= rowPackMax &&
      idx.length <= rowFileMax &&
      graphFile.length <= rowFileMax;
    if (!small) {
      await pack.keep();
      await this.#repository.packs.put(pack.id, 'idx', [idx]);
      await this.#repository.packs.put(pack.id, 'graph', [graphFile]);
    }
    this.#engine.indexes.set(packId, pack.index);
    this.#engine.graphs.set(packId, graph);
    const stored: NewPack = small
      ? { ...record, where: 'rows', files: { pack: joined(pack.bytes ?? []), idx, graph: graphFile } }
      : { ...record, where: 'store' };
    this.#stored = { pack: stored, nodes: nodes.count };
    return stored;
  }

  /** GIT-166: before the commit, by what the packs hold. */
  async #checkStorage(view: RepositoryView, added: number): Promise<void> {
    const stored = view.snapshot.packs.reduce((sum, record) => sum + record.packSize, 0);
    const exceeded = stored + added > this.#rules.repoStorageMax || added > (await this.#rules.accountStorageLeft());
    if (exceeded) throw new PackError('storage limit exceeded', 'storage limit exceeded');
  }

  /** Commits; where the reply is lost, asks what became of it (`docs/design/workers.md`, "Failures"). */
  async #commit(change: RepoChange): Promise<CommitOutcome> {
    this.#committed = 'unknown';
    try {
      return await this.#repository.state.commit(change);
    } catch (error) {
      const outcome = await this.#repository.state.outcome(change.pushId);
      if (outcome === undefined) {
        this.#committed = 'no';
        throw error;
      }
      return outcome;
    }
  }

  #conclude(change: RepoChange, outcome: CommitOutcome & { kind: 'done' }): PushOutcome | undefined {
    const numbers = this.#verdicts.open();
    outcome.updates.forEach((update, i) => {
      const number = numbers[i] as number;
      if (update.kind === 'stale') this.#verdicts.refuse(number, 'stale ref');
      else if (update.kind === 'conflict') this.#verdicts.refuse(number, `conflicts with ${update.with}`);
      else if (update.kind === 'held back') this.#verdicts.refuse(number, 'atomic push failure');
    });
    const changed = change.updates.some(
      (update, i) => outcome.updates[i]?.kind === 'ok' && update.old !== (update.new?.oid ?? null),
    );
    if (!changed) return undefined;
    this.#committed = 'yes';
    return { at: change.at, version: outcome.version };
  }
}

/** The id that a chain of tags ends at. */
function peeledId(view: RepositoryView, places: PushPlaces, walk: WalkResult, start: number): ObjectId {
  const { set } = view;
  const id = new Uint8Array(objectIdBytes);
  let node = start;
  for (;;) {
    if (node < 0) {
      const stored = -1 - node;
      const first = set.parentStarts[stored] as number;
      const isTag = set.nodeKind(stored) === tagKind;
      if (isTag && first < (set.parentStarts[stored + 1] as number)) {
        node = -1 - (set.parents[first] as number);
        continue;
      }
      view.copyObjectId(isTag ? (set.nodeTrees[stored] as number) : (set.nodeObjects[stored] as number), id, 0);
      return objectIdAt(id);
    }
    const place = walk.nodes.places[node] as number;
    const isTag = places.kind(place) === tagKind;
    const parent = walk.nodes.parents[node]?.[0];
    if (isTag && parent !== undefined) {
      node = parent;
      continue;
    }
    places.copyId(isTag ? (walk.nodes.trees[node] as number) : place, id, 0);
    return objectIdAt(id);
  }
}

/** Whether every object of the pack is a node or listed by one, so that the pack is what its nodes reach. */
function isExact(graph: PackGraph): boolean {
  const nodes = new Set(graph.nodeObjects);
  return (
    graph.ext.length === 0 && graph.kinds.every((kind, ordinal) => (kind & closedFlag) !== 0 || nodes.has(ordinal))
  );
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
