import type { NewNodes, NodeReference } from '../../graph/make/push-walk.ts';
import { tagKind } from '../../object/kind.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../../object/object-id.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import type { PushPlaces } from './push-places.ts';
import { cost } from '../../work/costs.ts';

/** Work for one tag of a chain, as a number of entries. */
const entriesATag = 20;

/** Finds the ends of tag chains. Visits each tag once, for any number of refs. */
export class PeeledIds {
  readonly #view: RepositoryView;
  readonly #places: PushPlaces;
  readonly #nodes: NewNodes;
  readonly #known = new Map<NodeReference, ObjectId>();

  constructor(view: RepositoryView, places: PushPlaces, nodes: NewNodes) {
    this.#view = view;
    this.#places = places;
    this.#nodes = nodes;
  }

  /** The id at the end of the chain that starts with a tag. */
  async of(tag: NodeReference): Promise<ObjectId> {
    const chain: NodeReference[] = [];
    let node = tag;
    let end = this.#known.get(node);
    const { work } = this.#view;
    while (end === undefined) {
      if (work.spend(cost.entries, entriesATag)) await work.yield();
      chain.push(node);
      const next = this.#target(node);
      if (next === undefined) end = this.#endOf(node);
      else {
        node = next;
        end = this.#known.get(node);
      }
    }
    for (const link of chain) {
      this.#known.set(link, end);
      if (work.spend(cost.entries, entriesATag)) await work.yield();
    }
    return end;
  }

  /** The node a tag points to; undefined where the chain ends, or at a tag of a tree or blob. */
  #target(node: NodeReference): NodeReference | undefined {
    if (!this.#isTag(node)) return undefined;
    if (node >= 0) return this.#nodes.parentsOf(node)[0];
    const { parentStarts, parents } = this.#view.set;
    const stored = -1 - node;
    const first = parentStarts[stored] as number;
    return first < (parentStarts[stored + 1] as number) ? -1 - (parents[first] as number) : undefined;
  }

  #endOf(node: NodeReference): ObjectId {
    const id = new Uint8Array(objectIdBytes);
    if (node >= 0) {
      const place = this.#isTag(node) ? this.#nodes.trees[node] : this.#nodes.places[node];
      this.#places.copyId(place as number, id, 0);
    } else {
      const { nodeTrees, nodeObjects } = this.#view.set;
      const object = this.#isTag(node) ? nodeTrees[-1 - node] : nodeObjects[-1 - node];
      this.#view.copyObjectId(object as number, id, 0);
    }
    return objectIdAt(id);
  }

  #isTag(node: NodeReference): boolean {
    const kind = node < 0 ? this.#places.nodeKind(-1 - node) : this.#places.kind(this.#nodes.places[node] as number);
    return kind === tagKind;
  }
}
