import type { NewNodes, WalkBoundary } from '../../graph/make/push-walk.ts';
import { commitKind } from '../../object/kind.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../../object/object-id.ts';
import type { PushPlaces } from './push-places.ts';

/** The ends of a push's history: the repository's boundary (GIT-149), and that of a shallow client. */
export class PushBoundary implements WalkBoundary {
  readonly #places: PushPlaces;
  readonly #own: readonly ObjectId[];
  readonly #client: readonly ObjectId[];
  readonly #accepted: boolean;
  #ends: ReadonlySet<ObjectId> | undefined;
  #cuts: ReadonlySet<ObjectId> | undefined;

  /** `accepted`: the boundary of the client becomes one of the repository (GIT-075). */
  constructor(places: PushPlaces, own: readonly ObjectId[], client: readonly ObjectId[], accepted: boolean) {
    this.#places = places;
    this.#own = own;
    this.#client = client;
    this.#accepted = accepted;
  }

  endsAt(place: number): boolean {
    this.#ends ??= new Set(this.#accepted ? [...this.#own, ...this.#client] : this.#own);
    return this.#ends.size > 0 && this.#ends.has(this.#id(place));
  }

  isCutAt(place: number): boolean {
    this.#cuts ??= new Set(this.#client);
    return this.#cuts.size > 0 && this.#cuts.has(this.#id(place));
  }

  /** The commits at which this push cuts off the history of the repository. */
  newEnds(nodes: NewNodes): readonly ObjectId[] {
    if (!this.#accepted || this.#client.length === 0) return [];
    const own = new Set(this.#own);
    const ends: ObjectId[] = [];
    for (let node = 0; node < nodes.count; node++) {
      const place = nodes.places[node] as number;
      const isEnd = nodes.complete[node] === 1 && this.#places.kind(place) === commitKind && this.isCutAt(place);
      if (isEnd && !own.has(this.#id(place))) ends.push(this.#id(place));
    }
    return ends;
  }

  #id(place: number): ObjectId {
    const id = new Uint8Array(objectIdBytes);
    this.#places.copyId(place, id, 0);
    return objectIdAt(id);
  }
}
