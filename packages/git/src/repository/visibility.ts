import type { GraphSet } from '../graph/graph-set.ts';
import { paint } from '../graph/paint.ts';
import { paintDescendants } from '../graph/paint-descendants.ts';
import type { SetPack } from '../graph/set-pack.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord, RepoSnapshot, RetiredTip } from '../ports/repo-state.ts';
import { isHidden, visibleRefs } from '../refs/visible-refs.ts';

/** For how long a value that a ref has left may still be wanted (GIT-061). */
export interface StaleTips {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds (LIM-065); 0: not at all. */
  readonly grace: number;
}

/** Where colours are remembered from request to request. */
export interface RememberedColours {
  get(): Uint8Array | undefined;
  set(colours: Uint8Array): void;
}

/**
 * What of a snapshot may be seen (GIT-129): the refs that are not hidden and what they reach. Colours are computed
 * when first asked for, one pass over the nodes each.
 *
 * Of packs that came by a fork and belong to it in part, what neither its refs reach nor what they left lately is as
 * good as not there (GIT-154): it is another repository's.
 *
 * What a ref has left counts for wants alone (GIT-061 names GIT-060 alone): no list has it, `object-info` and filters do
 * not find it, and but for such packs, what a push or a `have` may lean on does not depend on it. Whether it was a
 * hidden ref's is told by its name and the prefixes of now, so that what is hidden from now on is so at once.
 */
export class Visibility {
  readonly refs: readonly RefRecord[];
  readonly #all: readonly RefRecord[];
  readonly #hiddenPrefixes: readonly string[];
  readonly #set: GraphSet;
  readonly #stale: ReadonlySet<ObjectId>;
  /** What refs have left and the state still remembers: it belongs to the repository. */
  readonly #left: readonly RetiredTip[];
  readonly #parts: readonly SetPack[];
  readonly #remembered: RememberedColours | undefined;
  #tips: ReadonlySet<ObjectId> | undefined;
  #visible: Uint8Array | undefined;
  #wantable: Uint8Array | undefined;
  #hidden: Uint8Array | undefined;
  #owned: Uint8Array | undefined;
  #closed: Uint8Array | undefined;

  /** Without `stale`, what refs have left counts for nothing. `remembered`: where what is visible may be known already. */
  constructor(
    snapshot: RepoSnapshot,
    set: GraphSet,
    hiddenPrefixes: readonly string[],
    stale?: StaleTips,
    remembered?: RememberedColours,
  ) {
    this.#remembered = remembered;
    this.#stale = new Set(stale === undefined ? [] : staleTips(snapshot, hiddenPrefixes, stale));
    this.refs = visibleRefs(snapshot.refs, hiddenPrefixes);
    this.#all = snapshot.refs;
    this.#hiddenPrefixes = hiddenPrefixes;
    this.#set = set;
    this.#left = snapshot.retiredTips;
    this.#parts = partPacks(set, snapshot);
  }

  /** Values of the visible refs. */
  get tips(): ReadonlySet<ObjectId> {
    return (this.#tips ??= new Set(this.refs.map((ref) => ref.oid)));
  }

  /** One byte a node: 1 if a visible ref reaches it. */
  get visibleNodes(): Uint8Array {
    return (this.#visible ??= this.#remembered?.get() ?? this.#paintVisible());
  }

  /** Whether a want may name what stands at a node (GIT-060, GIT-061). */
  mayWant(node: number, oid: ObjectId): boolean {
    if (this.tips.has(oid) || this.#stale.has(oid) || this.visibleNodes[node] === 1) return true;
    return this.#wantableNodes[node] === 1;
  }

  /** The same for a stored object that is no node. */
  mayWantObject(object: number): boolean {
    const { introducers } = this.#set;
    return (
      introducers.hasIntroducer(object, this.visibleNodes, 1) ||
      (this.#stale.size > 0 && introducers.hasIntroducer(object, this.#wantableNodes, 1))
    );
  }

  /** Whether any ref is hidden or any pack is another's in part, so that not all that is stored may be leaned on. */
  get isPartial(): boolean {
    return this.refs.length < this.#all.length || this.#parts.length > 0;
  }

  /**
   * Whether a push or a `have` may lean on a node: not if it or something before it is reached by hidden refs alone, or
   * is another's. What no ref reaches any more may be leaned on (GIT-064).
   */
  mayLeanOn(node: number): boolean {
    if (!this.isPartial || this.visibleNodes[node] === 1) return true;
    return this.#closedNodes[node] !== 1;
  }

  /**
   * Whether a push may lean on a stored object: a visible node introduces it, or no hidden one does and it is not
   * another's.
   */
  mayLeanOnObject(object: number): boolean {
    if (!this.isPartial) return true;
    const { introducers } = this.#set;
    if (introducers.hasIntroducer(object, this.visibleNodes, 1)) return true;
    if (introducers.hasIntroducer(object, this.#hiddenNodes, 1)) return false;
    const isInPart = this.#parts.some(({ objectStart, graph }) => isWithin(object, objectStart, graph.count));
    return !isInPart || introducers.hasIntroducer(object, this.#ownedNodes, 1);
  }

  /** One byte a node: 1 if a visible ref reaches it, or what one has left lately. */
  get #wantableNodes(): Uint8Array {
    if (this.#wantable !== undefined) return this.#wantable;
    if (this.#stale.size === 0) return (this.#wantable = this.visibleNodes);
    const colours = this.visibleNodes.slice();
    paint(this.#set, this.#nodesOf(this.#stale), colours, 1);
    return (this.#wantable = colours);
  }

  /** One byte a node: 1 if a hidden ref reaches it. */
  get #hiddenNodes(): Uint8Array {
    return (this.#hidden ??= this.#reachedBy(this.#all.filter((ref) => isHidden(ref.name, this.#hiddenPrefixes))));
  }

  /** One byte a node: 1 if any ref reaches it, or what one has left. */
  get #ownedNodes(): Uint8Array {
    return (this.#owned ??= this.#reachedBy([...this.#all, ...this.#left]));
  }

  /** One byte a node: 1 if it reaches one that only hidden refs reach, or that is another's. */
  get #closedNodes(): Uint8Array {
    if (this.#closed !== undefined) return this.#closed;
    const closed = this.#hiddenNodes.map((hidden, node) => (hidden === 1 && this.visibleNodes[node] !== 1 ? 1 : 0));
    for (const { nodeStart, graph } of this.#parts) {
      for (let node = nodeStart; node < nodeStart + graph.nodeCount; node++) {
        if (this.#ownedNodes[node] !== 1) closed[node] = 1;
      }
    }
    paintDescendants(this.#set, closed);
    return (this.#closed = closed);
  }

  #paintVisible(): Uint8Array {
    const colours = this.#reachedBy(this.refs);
    this.#remembered?.set(colours);
    return colours;
  }

  #reachedBy(refs: readonly Pick<RefRecord, 'oid'>[]): Uint8Array {
    const colours = new Uint8Array(this.#set.nodeCount);
    paint(this.#set, this.#nodesOf(refs.map(({ oid }) => oid)), colours, 1);
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

/** What refs that are not hidden have left within the time of grace. */
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
