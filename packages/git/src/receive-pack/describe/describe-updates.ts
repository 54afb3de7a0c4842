import type { NewNodes, NodeReference } from '../../graph/make/push-walk.ts';
import type { SetPack } from '../../graph/set-pack.ts';
import { objectIdAt, objectIdBytes, type ObjectId } from '../../object/object-id.ts';
import { eventBytesMax } from '../../ports/repo-state.ts';
import { NotEnoughMemoryError } from '../../work/memory-error.ts';
import type { RepositoryView } from '../../repository/repository-view.ts';
import type { RequestAccount } from '../../memory/request-account.ts';
import type { RefName } from '../../refs/ref-name.ts';
import { cost } from '../../work/costs.ts';
import { encodeUtf8 } from '../../bytes/utf8.ts';
import type { PushPlaces } from '../places/push-places.ts';
import { firstParents, walkMax } from './first-parents.ts';
import { pushedCommit, type PushedCommit } from './pushed-commit.ts';

/** A ref that a push will change. */
export interface UpdateToDescribe {
  readonly name: RefName;
  readonly before: ObjectId | null;
  readonly after: ObjectId | null;
  /** The node of `after`; undefined for a deletion. */
  readonly node: NodeReference | undefined;
}

/** Event of a changed ref (REPO-194, REPO-195). */
export interface DescribedUpdate {
  readonly name: RefName;
  /** Null for a created ref. */
  readonly before: ObjectId | null;
  /** Null for a deleted ref. */
  readonly after: ObjectId | null;
  /** For a branch: commits gained over first parents, newest first, at most 20. */
  readonly commits: readonly PushedCommit[];
  /** Number of gained commits, at most 21. */
  readonly total: number;
  /** True if `commits` lacks any of them. */
  readonly truncated: boolean;
}

/** Maximum JSON bytes of commits: for one update, and for a push including the rest of each update. */
const updateMax = eventBytesMax - 100_000;
const pushMax = 8 * 1024 * 1024;
const restOfUpdate = 1_024;
/** Memory per byte of them until the commit. */
const memoryFactor = 6;

/**
 * Describes the updates of a push. If an event or the memory has no space for commits, they are left out and the update
 * is `truncated`: a push does not fail for that.
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

/** Reads each commit once, as long as there is space. */
class CommitReader {
  readonly #view: RepositoryView;
  readonly #places: PushPlaces;
  readonly #nodes: Pick<NewNodes, 'places'>;
  readonly #memory: Pick<RequestAccount, 'tryKeep'>;
  readonly #known = new Map<NodeReference, KnownCommit>();
  #left: number;

  /** @param most maximum bytes of all returned commits. */
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

  /** Returns as many of the first commits as there is space for. */
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
      // Copies the text, since a truncated one would keep the whole in memory.
      return { commit: JSON.parse(text) as PushedCommit, bytes: encodeUtf8(text).length };
    } catch (error) {
      if (error instanceof NotEnoughMemoryError) return undefined;
      throw error;
    }
  }

  /** Reads packs in rows in few portions, if the next reads are known. */
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

  /** Returns undefined for objects of the push itself. */
  #packOf(place: number): SetPack | undefined {
    const object = place - this.#places.ownPlaces;
    return object < 0 ? undefined : this.#view.set.packOfObject(object);
  }
}
