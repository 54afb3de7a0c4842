import type { GraphSet } from '../graph/graph-set.ts';
import { kindMask, noObject } from '../graph/pack-graph.ts';
import { blobKind, treeKind, type KindNumber } from '../object/kind.ts';
import { walkFiltered } from './filtered-walk.ts';
import type { ObjectFilter } from './object-filter.ts';
import type { WalkedTrees } from './walked-trees.ts';

/** A filter during planning: decides which objects to include, by their numbers. Without a filter all are included. */
export class PlanFilter {
  readonly #set: GraphSet;
  readonly #filter: ObjectFilter | undefined;
  readonly #given: Set<number> = new Set();
  #isPlaced: (object: number) => boolean = () => true;

  constructor(set: GraphSet, filter: ObjectFilter | undefined) {
    this.#set = set;
    this.#filter = filter;
  }

  /** Passes an object regardless of the filter (GIT-086). */
  give(object: number): void {
    if (this.#filter !== undefined && object !== noObject) this.#given.add(object);
  }

  /**
   * Tests if an object passes. With placed parts, the result for a tree or blob is final only after {@link
   * PlanFilter.place}.
   */
  passes(object: number): boolean {
    if (this.#filter === undefined || this.#given.has(object)) return true;
    const { graph, objectStart } = this.#set.packOfObject(object);
    const kind = ((graph.kinds[object - objectStart] as number) & kindMask) as KindNumber;
    if (!this.#filter.passes(kind, graph.sizes[object - objectStart] as number)) return false;
    return (kind !== treeKind && kind !== blobKind) || this.#isPlaced(object);
  }

  /** True if objects of the kind may pass that are not given. */
  passesSome(kind: KindNumber): boolean {
    return this.#filter === undefined || this.#filter.passesSome(kind);
  }

  /** True if trees must be walked to find the places of objects. */
  get hasPlaces(): boolean {
    return this.#filter !== undefined && this.#filter.placed.length > 0;
  }

  /** Walks the trees of commits that are sent. What is given is found among the trees. */
  async place(walked: Omit<WalkedTrees, 'given'>): Promise<void> {
    if (this.#filter === undefined) return;
    const given = [...this.#given].filter((object) => this.#set.kind(object) === treeKind);
    // A wanted tree is sent with everything that it reaches, even if the client says that it has it (GIT-066).
    const isHeld = given.length > 0 ? () => false : walked.isHeld;
    this.#isPlaced = await walkFiltered(this.#filter, { ...walked, given, isHeld });
  }

  /** Returns a test if the client certainly has an object, so that a delta may lean on it (GIT-087). */
  held(holds: (object: number) => boolean): (object: number) => boolean {
    const filter = this.#filter;
    return filter === undefined ? holds : (object) => filter.leansOn(this.#set.kind(object)) && holds(object);
  }
}
