import type { GraphSet } from '../graph/graph-set.ts';
import { paint } from '../graph/paint.ts';
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

  /**
   * Whether a push or a `have` may lean on a node: not if hidden refs alone reach it. What no ref reaches any more may
   * be leaned on (GIT-064).
   */
  mayLeanOn(node: number): boolean {
    if (this.refs === this.#all) return true;
    if (this.visibleNodes[node] === 1) return true;
    return this.#hiddenNodes[node] !== 1;
  }

  /** Whether a push may lean on a stored object: a node that it may lean on introduces it, or none does at all. */
  mayLeanOnObject(object: number): boolean {
    if (this.refs === this.#all) return true;
    const { introducers } = this.#set;
    return (
      introducers.hasIntroducer(object, this.visibleNodes, 1) ||
      !introducers.hasIntroducer(object, this.#hiddenNodes, 1)
    );
  }

  get #hiddenNodes(): Uint8Array {
    return (this.#hidden ??= this.#reachedBy(this.#all.filter((ref) => isHidden(ref.name, this.#hiddenPrefixes))));
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
