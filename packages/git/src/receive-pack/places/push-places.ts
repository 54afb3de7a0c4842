import type { WalkPlaces, NodeLinks } from '../../graph/make/push-walk.ts';
import { noObject } from '../../graph/pack-graph.ts';
import type { GitObject, KindNumber } from '../../object/kind.ts';
import type { IncomingPack } from '../../pack/receive/incoming-pack.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import type { Leaning } from '../../repository/visibility.ts';
import { linksOf, type IncomingLinks } from './incoming-links.ts';

/**
 * The objects that a push can see: its own pack and what the repository lets it lean on (GIT-129, GIT-154).
 * Places below `ownPlaces` are ordinals of the pack, the others that plus the number of a stored object. An object
 * that is in both is named by its stored place, its oldest home. The view's indexes must be loaded.
 */
export class PushPlaces implements WalkPlaces {
  readonly ownPlaces: number;
  readonly #view: RepositoryView;
  readonly #leaning: Leaning;
  readonly #pack: IncomingPack | undefined;
  readonly #links: IncomingLinks;

  constructor(view: RepositoryView, leaning: Leaning, pack: IncomingPack | undefined, links: IncomingLinks) {
    this.#view = view;
    this.#leaning = leaning;
    this.#pack = pack;
    this.#links = links;
    this.ownPlaces = pack?.index.count ?? 0;
  }

  /** True if nothing is stored that the push could lean on. */
  get leansOnNothing(): boolean {
    return this.#view.set.objectCount === 0;
  }

  find(ids: Uint8Array, at: number): number {
    const stored = this.#view.findObject(ids, at);
    if (stored >= 0 && this.#leaning.mayLeanOnObject(stored)) return this.ownPlaces + stored;
    const own = this.#pack?.index.find(ids, at) ?? -1;
    // Who brings what must not be seen may have it; but it keeps its one name, or it would be sent twice.
    return own >= 0 && stored >= 0 ? this.ownPlaces + stored : own;
  }

  /** Number of the stored object with that id if it must stay hidden; -1 for any other. */
  findHidden(ids: Uint8Array, at: number): number {
    const object = this.#view.findObject(ids, at);
    return object >= 0 && !this.#leaning.mayLeanOnObject(object) ? object : -1;
  }

  /** Returns the number of the stored object with that id that the push may lean on; -1 without one. */
  findStored(ids: Uint8Array, at: number): number {
    const object = this.#view.findObject(ids, at);
    return object >= 0 && this.#leaning.mayLeanOnObject(object) ? object : -1;
  }

  findNode(ids: Uint8Array, at: number): number {
    const node = this.#view.set.findNode(ids, at);
    return node >= 0 && this.#leaning.mayLeanOn(node) ? node : -1;
  }

  nodeTree(node: number): number {
    const tree = this.#view.set.nodeTrees[node] as number;
    return tree === noObject ? -1 : this.ownPlaces + tree;
  }

  nodeKind(node: number): KindNumber {
    return this.#view.set.nodeKind(node);
  }

  kind(place: number): KindNumber {
    if (place >= this.ownPlaces) return this.#view.set.kind(place - this.ownPlaces);
    return (this.#pack as IncomingPack).kinds[place] as KindNumber;
  }

  read(place: number): GitObject | Promise<GitObject> {
    if (place >= this.ownPlaces) return this.#view.read(place - this.ownPlaces);
    return (this.#pack as IncomingPack).objects.read(place);
  }

  links(place: number): NodeLinks | undefined | Promise<NodeLinks | undefined> {
    if (place < this.ownPlaces) return this.#links.get(place);
    const reading = this.read(place);
    return reading instanceof Promise
      ? reading.then(({ kind, body }) => linksOf(kind, body))
      : linksOf(reading.kind, reading.body);
  }

  copyId(place: number, target: Uint8Array, at: number): void {
    if (place >= this.ownPlaces) this.#view.copyObjectId(place - this.ownPlaces, target, at);
    else (this.#pack as IncomingPack).index.copyId(place, target, at);
  }

  copyNodeId(node: number, target: Uint8Array, at: number): void {
    this.#view.copyObjectId(this.#view.set.nodeObjects[node] as number, target, at);
  }
}
