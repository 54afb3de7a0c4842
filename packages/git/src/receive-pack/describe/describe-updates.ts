import type { NewNodes, NodeReference } from '../../graph/push-walk.ts';
import type { SetPack } from '../../graph/set-pack.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../../object/object-id.ts';
import { eventBytesMax } from '../../ports/repo-state.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import type { RequestAccount } from '../../repository/request-account.ts';
import type { RefName } from '../../refs/ref-name.ts';
import { cost } from '../../work/costs.ts';
import { encodeUtf8 } from '../../wire/utf8.ts';
import type { PushPlaces } from '../push-places.ts';
import { firstParents, walkMax } from './first-parents.ts';
import { pushedCommit, type PushedCommit } from './pushed-commit.ts';

/** A ref that a push is about to change. */
export interface UpdateToDescribe {
  readonly name: RefName;
  readonly before: ObjectId | null;
  readonly after: ObjectId | null;
  /** What `after` names; undefined for a deletion. */
  readonly node: NodeReference | undefined;
}

/** What the event of a changed ref tells (REPO-194, REPO-195). */
export interface DescribedUpdate {
  readonly name: RefName;
  /** Null: it is created. */
  readonly before: ObjectId | null;
  /** Null: it is deleted. */
  readonly after: ObjectId | null;
  /** Of a branch: what it gained over first parents, newest first, at most 20. */
  readonly commits: readonly PushedCommit[];
  /** How many it gained, at most 21. */
  readonly total: number;
  /** Whether `commits` lacks any of them. */
  readonly truncated: boolean;
}

/** What commits may take as JSON in bytes: of one update, and of a push with what else it tells of each update. */
const updateMax = eventBytesMax - 100_000;
const pushMax = 8 * 1024 * 1024;
const restOfUpdate = 1_024;
/** Bytes of memory that a byte of them takes until it is committed. */
const memoryFactor = 6;

/**
 * Says what updates of a push tell. Where there is no room for commits, in an event or in memory, they are left out and
 * the update is `truncated`: a push does not fail for that.
 */
export async function describeUpdates(
  view: RepositoryView,
  places: PushPlaces,
  nodes: Pick<NewNodes, 'parentsOf' | 'places'>,
  updates: readonly UpdateToDescribe[],
  memory: Pick<RequestAccount, 'tryKeep'>,
): Promise<readonly DescribedUpdate[]> {
  const { work } = view;
  const branches = updates.flatMap(({ name, before, node }, number) =>
    node === undefined || !name.startsWith('refs/heads/') ? [] : [{ number, before, after: node }],
  );
  const walks = await firstParents(view.set, nodes, branches, work);
  const walkOf = new Map(branches.map(({ number }, i) => [number, walks[i]]));
  const reader = new CommitReader(view, places, nodes, memory, pushMax - restOfUpdate * updates.length);
  const described: DescribedUpdate[] = [];
  for (const [number, { name, before, after }] of updates.entries()) {
    if (work.spend(cost.steps)) await work.yield();
    const { nodes: gained, isKnown } = walkOf.get(number) ?? { nodes: [], isKnown: true };
    const commits = await reader.read(gained.slice(0, walkMax - 1));
    described.push({
      name,
      before,
      after,
      commits,
      total: gained.length,
      truncated: !isKnown || commits.length < gained.length,
    });
  }
  return described;
}

interface KnownCommit {
  readonly commit: PushedCommit;
  readonly bytes: number;
}

/** Reads commits once each, as long as there is room. */
class CommitReader {
  readonly #view: RepositoryView;
  readonly #places: PushPlaces;
  readonly #nodes: Pick<NewNodes, 'places'>;
  readonly #memory: Pick<RequestAccount, 'tryKeep'>;
  readonly #known = new Map<NodeReference, KnownCommit>();
  #left: number;

  /** `most`: bytes of all commits that it answers. */
  constructor(
    view: RepositoryView,
    places: PushPlaces,
    nodes: Pick<NewNodes, 'places'>,
    memory: Pick<RequestAccount, 'tryKeep'>,
    most: number,
  ) {
    this.#view = view;
    this.#places = places;
    this.#nodes = nodes;
    this.#memory = memory;
    this.#left = most;
  }

  /** The first of these commits, as many as there is room for. */
  async read(nodes: readonly NodeReference[]): Promise<readonly PushedCommit[]> {
    const commits: PushedCommit[] = [];
    let left = Math.min(this.#left, updateMax);
    for (const [i, node] of nodes.entries()) {
      if (left <= 0) break;
      const found = this.#known.get(node) ?? (await this.#readOne(node, nodes.slice(i + 1)));
      if (found === undefined || found.bytes > left || !this.#memory.tryKeep(memoryFactor * found.bytes)) break;
      this.#known.set(node, found);
      commits.push(found.commit);
      left -= found.bytes;
      this.#left -= found.bytes;
    }
    return commits;
  }

  async #readOne(node: NodeReference, following: readonly NodeReference[]): Promise<KnownCommit | undefined> {
    const place = this.#placeOf(node);
    const id = new Uint8Array(objectIdBytes);
    this.#places.copyId(place, id, 0);
    await this.#readRows(place, following);
    try {
      const commit = pushedCommit(objectIdAt(id), (await this.#places.read(place)).body);
      if (commit === undefined) return undefined;
      const text = JSON.stringify(commit);
      // A copy: what was cut off a long text would be held along with it.
      return { commit: JSON.parse(text) as PushedCommit, bytes: encodeUtf8(text).length };
    } catch (error) {
      if (error instanceof NotEnoughMemoryError) return undefined;
      throw error;
    }
  }

  /** What lies in rows comes in few portions, if it is said what is read next. */
  async #readRows(place: number, following: readonly NodeReference[]): Promise<void> {
    const pack = this.#packOf(place);
    if (pack === undefined) return;
    const next = following.flatMap((node) => this.#packOf(this.#placeOf(node))?.record ?? []);
    await this.#view.readRows(pack, next);
  }

  #placeOf(node: NodeReference): number {
    if (node >= 0) return this.#nodes.places[node] as number;
    return this.#places.ownPlaces + (this.#view.set.nodeObjects[-1 - node] as number);
  }

  /** Undefined for what the push itself brings. */
  #packOf(place: number): SetPack | undefined {
    const object = place - this.#places.ownPlaces;
    return object < 0 ? undefined : this.#view.set.packOfObject(object);
  }
}
