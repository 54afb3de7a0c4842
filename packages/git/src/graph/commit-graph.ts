import { objectIdBytes, type ObjectId } from '../object/object-id.ts';
import type { Work } from '../work/scheduler.ts';
import type { GraphSet } from './graph-set.ts';
import { noObject } from './pack-graph.ts';

/** A repository whose history is part of a {@link CommitGraph}, such as a `RepositoryView` with its indexes. */
export interface CommitSource {
  readonly set: GraphSet;
  objectId(object: number): ObjectId;
  /** Writes the 20 bytes of an object's id. */
  copyObjectId(object: number, target: Uint8Array, at: number): void;
}

/** A commit that a merge makes for its own use, such as of several merge bases. */
export interface VirtualCommit {
  readonly parents: readonly number[];
  readonly tree: ObjectId;
}

/**
 * The histories of several repositories as one graph, such as those of a fork and its parent. A commit that several have
 * is the node of the first: there, all of its ancestors are, too.
 */
export class CommitGraph {
  readonly #sources: readonly CommitSource[];
  /** By source: the number of its first node. */
  readonly #starts: readonly number[];
  readonly #storedCount: number;
  readonly #virtual: VirtualCommit[] = [];
  readonly #id = new Uint8Array(objectIdBytes);

  private constructor(sources: readonly CommitSource[]) {
    const starts: number[] = [];
    let count = 0;
    for (const { set } of sources) {
      starts.push(count);
      count += set.nodeCount;
    }
    this.#sources = sources;
    this.#starts = starts;
    this.#storedCount = count;
  }

  static async open(work: Work, sources: readonly CommitSource[]): Promise<CommitGraph> {
    for (const { set } of sources) await set.loadNodes(work);
    return new CommitGraph(sources);
  }

  get nodeCount(): number {
    return this.#storedCount + this.#virtual.length;
  }

  /** Returns the node of a commit that a source has. */
  nodeOf(oid: ObjectId): number {
    for (const [number, { set }] of this.#sources.entries()) {
      const node = set.findNodeById(oid);
      if (node >= 0) return (this.#starts[number] as number) + node;
    }
    throw new Error('a commit of the graph is not stored');
  }

  /** Adds a commit that is not stored, with the date 0 as in Git. Returns its node. */
  addVirtual(commit: VirtualCommit): number {
    return this.#storedCount + this.#virtual.push(commit) - 1;
  }

  parentsOf(node: number): readonly number[] {
    const virtual = this.#virtual[node - this.#storedCount];
    if (virtual !== undefined) return virtual.parents;
    const [number, own] = this.#placeOf(node);
    const { parentStarts, parents } = (this.#sources[number] as CommitSource).set;
    const found: number[] = [];
    for (let i = parentStarts[own] as number; i < (parentStarts[own + 1] as number); i++) {
      found.push(this.#firstNode(number, parents[i] as number));
    }
    return found;
  }

  /** Returns the committer date in seconds since 1970. */
  dateOf(node: number): number {
    if (node >= this.#storedCount) return 0;
    const [number, own] = this.#placeOf(node);
    const { graph, nodeStart } = (this.#sources[number] as CommitSource).set.packOfNode(own);
    return graph.dates[own - nodeStart] as number;
  }

  treeOf(node: number): ObjectId {
    const virtual = this.#virtual[node - this.#storedCount];
    if (virtual !== undefined) return virtual.tree;
    const [number, own] = this.#placeOf(node);
    const source = this.#sources[number] as CommitSource;
    const tree = source.set.nodeTrees[own] as number;
    if (tree === noObject) throw new Error('a stored commit has no tree in its graph');
    return source.objectId(tree);
  }

  /** Returns the number of a node's source, and the node there. */
  #placeOf(node: number): readonly [source: number, node: number] {
    let number = this.#sources.length - 1;
    while ((this.#starts[number] as number) > node) number--;
    return [number, node - (this.#starts[number] as number)];
  }

  /** Returns the node of a source's commit in the first source that has it. */
  #firstNode(source: number, node: number): number {
    const own = this.#sources[source] as CommitSource;
    if (source > 0) own.copyObjectId(own.set.nodeObjects[node] as number, this.#id, 0);
    for (let earlier = 0; earlier < source; earlier++) {
      const found = (this.#sources[earlier] as CommitSource).set.findNode(this.#id, 0);
      if (found >= 0) return (this.#starts[earlier] as number) + found;
    }
    return (this.#starts[source] as number) + node;
  }
}
