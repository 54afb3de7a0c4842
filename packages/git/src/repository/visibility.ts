import type { GraphSet } from '../graph/graph-set.ts';
import { paint } from '../graph/paint.ts';
import { paintDescendants } from '../graph/paint-descendants.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { RefRecord, RepoSnapshot } from '../ports/repo-state.ts';
import { isHidden, visibleRefs } from '../refs/visible-refs.ts';

/**
 * What of a snapshot may be seen (GIT-129): the refs that are not hidden and what they reach. Colours are computed
 * when first asked for, one pass over the nodes each.
 */
export class Visibility {
  readonly refs: readonly RefRecord[];
  readonly #all: readonly RefRecord[];
  readonly #hiddenPrefixes: readonly string[];
  readonly #set: GraphSet;
  #tips: ReadonlySet<ObjectId> | undefined;
  #visible: Uint8Array | undefined;
  #hidden: Uint8Array | undefined;
  #closed: Uint8Array | undefined;

  constructor(snapshot: RepoSnapshot, set: GraphSet, hiddenPrefixes: readonly string[]) {
    this.refs = visibleRefs(snapshot.refs, hiddenPrefixes);
    this.#all = snapshot.refs;
    this.#hiddenPrefixes = hiddenPrefixes;
    this.#set = set;
  }

  /** Values of the visible refs. */
  get tips(): ReadonlySet<ObjectId> {
    return (this.#tips ??= new Set(this.refs.map((ref) => ref.oid)));
  }

  /** One byte a node: 1 if a visible ref reaches it. */
  get visibleNodes(): Uint8Array {
    return (this.#visible ??= this.#reachedBy(this.refs));
  }

  /** Whether any ref is hidden, so that not all that is stored may be leaned on. */
  get isPartial(): boolean {
    return this.refs !== this.#all && this.refs.length < this.#all.length;
  }

  /**
   * Whether a push or a `have` may lean on a node: not if it or something before it is reached by hidden refs alone.
   * What no ref reaches any more may be leaned on (GIT-064).
   */
  mayLeanOn(node: number): boolean {
    if (!this.isPartial || this.visibleNodes[node] === 1) return true;
    return this.#closedNodes[node] !== 1;
  }

  /** Whether a push may lean on a stored object: a visible node introduces it, or no hidden one does. */
  mayLeanOnObject(object: number): boolean {
    if (!this.isPartial) return true;
    const { introducers } = this.#set;
    return (
      introducers.hasIntroducer(object, this.visibleNodes, 1) ||
      !introducers.hasIntroducer(object, this.#hiddenNodes, 1)
    );
  }

  /** One byte a node: 1 if a hidden ref reaches it. */
  get #hiddenNodes(): Uint8Array {
    return (this.#hidden ??= this.#reachedBy(this.#all.filter((ref) => isHidden(ref.name, this.#hiddenPrefixes))));
  }

  /** One byte a node: 1 if it reaches one that only hidden refs reach. */
  get #closedNodes(): Uint8Array {
    if (this.#closed !== undefined) return this.#closed;
    const closed = this.#hiddenNodes.map((hidden, node) => (hidden === 1 && this.visibleNodes[node] !== 1 ? 1 : 0));
    paintDescendants(this.#set, closed);
    return (this.#closed = closed);
  }

  #reachedBy(refs: readonly RefRecord[]): Uint8Array {
    const colours = new Uint8Array(this.#set.nodeCount);
    const nodes: number[] = [];
    for (const ref of refs) {
      const node = this.#set.findNodeById(ref.oid);
      if (node >= 0) nodes.push(node);
    }
    paint(this.#set, nodes, colours, 1);
    return colours;
  }
}
