import type { GraphSet } from '../graph/graph-set.ts';
import { paint } from '../graph/paint.ts';
import { paintDescendants } from '../graph/paint-descendants.ts';
import type { SetPack } from '../graph/set-pack.ts';
import { objectIdBytes, type ObjectId } from '../object/object-id.ts';
import { refOidsMax } from '../ports/ref-query.ts';
import type { RepoSnapshot, RetiredTip } from '../ports/repo-state.ts';
import type { RefSlice } from '../refs/packed-refs.ts';
import type { RefList } from '../refs/ref-list.ts';
import type { RepoRefs } from '../stored-refs/repo-refs.ts';
import { isHidden, VisibleRefs } from '../stored-refs/visible-refs.ts';
import type { Work } from '../work/scheduler.ts';
import type { RepositoryView } from './repository-view.ts';

/** How long a former value of a ref may still be wanted (GIT-061). */
export interface StaleTips {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Duration in milliseconds (LIM-065); 0: not at all. */
  readonly grace: number;
}

/** Caches colours between requests, by the list of all refs. */
export interface RememberedColours {
  get(refs: RefList): Uint8Array | undefined;
  set(refs: RefList, colours: Uint8Array): void;
}

export interface VisibilityOptions {
  /** Without it, former values of refs are not allowed. */
  readonly stale?: StaleTips | undefined;
  /** Cache of what is visible. Default: none. */
  readonly remembered?: RememberedColours;
}

/** Objects that a push or a `have` may lean on. */
export interface Leaning {
  /** True if some stored objects may not be leaned on. */
  readonly isPartial: boolean;
  /**
   * Tests if a node may be leaned on. It may not if it or an ancestor belongs to another repository or is reached only
   * by hidden refs. An unreachable node may be leaned on (GIT-064).
   */
  mayLeanOn(node: number): boolean;
  /**
   * The same for a stored object: a visible node introduces it, or no hidden one does and it does not belong to another
   * repository.
   */
  mayLeanOnObject(object: number): boolean;
}

const onEverything: Leaning = { isPartial: false, mayLeanOn: () => true, mayLeanOnObject: () => true };

/**
 * The visible part of a snapshot (GIT-129): the refs that are not hidden, and what they reach. Reads refs and computes
 * colours on first use, with one pass over the nodes each. Throws the errors of {@link RepoRefs}.
 *
 * In packs that a fork owns in part, objects that neither its refs nor its recent tips reach count as absent (GIT-154):
 * they belong to another repository.
 *
 * A retired tip counts only for wants (GIT-061 refers only to GIT-060). Lists omit it, and `object-info` and filters do
 * not find it. Except in such packs, it does not affect what a push or a `have` may lean on. Its name and the current
 * prefixes decide if its ref was hidden, so that newly hidden refs are hidden at once.
 */
export class Visibility {
  readonly refs: VisibleRefs;
  readonly #allRefs: RepoRefs;
  readonly #set: GraphSet;
  readonly #work: Work;
  readonly #hiddenPrefixes: readonly string[];
  readonly #stale: ReadonlySet<ObjectId>;
  /** Tips that refs left and that the state still has: they belong to the repository. */
  readonly #left: readonly RetiredTip[];
  readonly #parts: readonly SetPack[];
  readonly #remembered: RememberedColours | undefined;
  /** Values of visible refs that were looked up so far. */
  readonly #tips = new Set<ObjectId>();
  #visible: Uint8Array | undefined;
  #wantable: Uint8Array | undefined;
  #leaning: Leaning | undefined;

  constructor(
    { snapshot, set, refs, work }: Pick<RepositoryView, 'snapshot' | 'set' | 'refs' | 'work'>,
    hiddenPrefixes: readonly string[],
    { stale, remembered }: VisibilityOptions = {},
  ) {
    this.refs = new VisibleRefs(refs, snapshot, hiddenPrefixes);
    this.#allRefs = refs;
    this.#set = set;
    this.#work = work;
    this.#hiddenPrefixes = hiddenPrefixes;
    this.#stale = new Set(stale === undefined ? [] : staleTips(snapshot, hiddenPrefixes, stale));
    this.#left = snapshot.retiredTips;
    this.#parts = partPacks(set, snapshot);
    this.#remembered = remembered;
  }

  /** One byte a node: 1 if a visible ref reaches it. */
  async visibleNodes(): Promise<Uint8Array> {
    return (this.#visible ??= await this.#paintVisible());
  }

  /**
   * Looks which of a few ids visible refs have as their values. Without that, {@link Visibility.mayWant} goes over all refs
   * and the history of each.
   */
  async lookForTips(oids: readonly ObjectId[]): Promise<void> {
    if (oids.length === 0 || oids.length > refOidsMax) return;
    for (const { name, oid } of await this.#allRefs.pointing(oids)) {
      if (!isHidden(name, this.#hiddenPrefixes)) this.#tips.add(oid);
    }
  }

  /** Tests if a want may name the object at a node (GIT-060, GIT-061). */
  async mayWant(node: number, oid: ObjectId): Promise<boolean> {
    if (this.#tips.has(oid) || this.#stale.has(oid) || (await this.visibleNodes())[node] === 1) return true;
    return (await this.#wantableNodes())[node] === 1;
  }

  /** The same for a stored object that is not a node. */
  async mayWantObject(object: number): Promise<boolean> {
    const introducers = await this.#set.loadIntroducers(this.#work);
    return (
      introducers.hasIntroducer(object, await this.visibleNodes(), 1) ||
      (this.#stale.size > 0 && introducers.hasIntroducer(object, await this.#wantableNodes(), 1))
    );
  }

  /**
   * Tests if any ref is hidden, or any pack partly belongs to another repository, so that some stored objects may not
   * be leaned on.
   */
  async isPartial(): Promise<boolean> {
    return this.#parts.length > 0 || (await this.refs.hidesAny());
  }

  async leaning(): Promise<Leaning> {
    return (this.#leaning ??= (await this.isPartial()) ? await this.#partialLeaning() : onEverything);
  }

  async #partialLeaning(): Promise<Leaning> {
    const introducers = await this.#set.loadIntroducers(this.#work);
    const visible = await this.visibleNodes();
    const hidden = await this.#reachedBy(this.refs.hidden());
    const owned = this.#parts.length === 0 ? undefined : await this.#reachedBy(this.#allRefs.below(''), this.#left);
    const closed = await this.#closedNodes(visible, hidden, owned);
    return {
      isPartial: true,
      mayLeanOn: (node) => visible[node] === 1 || closed[node] !== 1,
      mayLeanOnObject: (object) => {
        if (introducers.hasIntroducer(object, visible, 1)) return true;
        if (introducers.hasIntroducer(object, hidden, 1)) return false;
        const isInPart = this.#parts.some(({ objectStart, graph }) => isWithin(object, objectStart, graph.count));
        return !isInPart || (owned !== undefined && introducers.hasIntroducer(object, owned, 1));
      },
    };
  }

  /**
   * One byte a node: 1 if it reaches one that only hidden refs reach, or that is another's. `owned`: what any ref reaches,
   * or what one has left.
   */
  async #closedNodes(visible: Uint8Array, hidden: Uint8Array, owned: Uint8Array | undefined): Promise<Uint8Array> {
    const closed = hidden.map((isReached, node) => (isReached === 1 && visible[node] !== 1 ? 1 : 0));
    for (const { nodeStart, graph } of this.#parts) {
      for (let node = nodeStart; node < nodeStart + graph.nodeCount; node++) {
        if (owned?.[node] !== 1) closed[node] = 1;
      }
    }
    await paintDescendants(this.#work, this.#set, closed);
    return closed;
  }

  /** One byte a node: 1 if a visible ref reaches it, or if a recent former value of one does. */
  async #wantableNodes(): Promise<Uint8Array> {
    if (this.#wantable !== undefined) return this.#wantable;
    const visible = await this.visibleNodes();
    if (this.#stale.size === 0) return (this.#wantable = visible);
    const colours = visible.slice();
    await paint(this.#work, this.#set, this.#nodesOf(this.#stale), colours, 1);
    return (this.#wantable = colours);
  }

  async #paintVisible(): Promise<Uint8Array> {
    const list = this.#remembered === undefined ? undefined : await this.#allRefs.list();
    const known = list && this.#remembered?.get(list);
    if (known !== undefined) return known;
    const colours = await this.#reachedBy(this.refs.below(''));
    if (list !== undefined) this.#remembered?.set(list, colours);
    return colours;
  }

  async #reachedBy(refs: AsyncIterable<RefSlice>, left: readonly RetiredTip[] = []): Promise<Uint8Array> {
    await this.#set.loadNodes(this.#work);
    const nodes = [...this.#nodesOf(left.map(({ oid }) => oid))];
    for await (const { refs: packed, from, to } of refs) {
      for (let i = from; i < to; i++) {
        const node = this.#set.findNode(packed.oids, i * objectIdBytes);
        if (node >= 0) nodes.push(node);
      }
    }
    const colours = new Uint8Array(this.#set.nodeCount);
    await paint(this.#work, this.#set, nodes, colours, 1);
    return colours;
  }

  *#nodesOf(oids: Iterable<ObjectId>): Generator<number, void, undefined> {
    for (const oid of oids) {
      const node = this.#set.findNodeById(oid);
      if (node >= 0) yield node;
    }
  }
}

/** Packs that came by a fork and belong to it in part; told by the snapshot, since sets are shared between repositories. */
function partPacks(set: GraphSet, { packs }: RepoSnapshot): readonly SetPack[] {
  return set.packs.filter((_, i) => packs[i]?.borrowed === 'part');
}

function isWithin(number: number, start: number, count: number): boolean {
  return number >= start && number < start + count;
}

/** Returns the tips that visible refs left within the grace period. */
function staleTips(
  { retiredTips }: RepoSnapshot,
  hiddenPrefixes: readonly string[],
  { now, grace }: StaleTips,
): readonly ObjectId[] {
  if (grace === 0) return [];
  return retiredTips.flatMap(({ name, oid, at }) =>
    now - at <= grace && !isHidden(name, hiddenPrefixes) ? [oid] : [],
  );
}
