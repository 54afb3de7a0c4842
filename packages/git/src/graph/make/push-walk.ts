import { commitKind, tagKind, type KindNumber } from '../../object/kind.ts';
import { objectIdBytes } from '../../object/object-id.ts';
import type { MemoryShare } from '../../pack/receive/incoming-pack.ts';
import type { MemoryAccount } from '../../pack/receive/memory-account.ts';
import type { ListedNodes, ListShare } from '../../pack/receive/receiving-threads.ts';
import type { Codec } from '../../ports/codec.ts';
import { cost } from '../../work/costs.ts';
import type { Work } from '../../work/scheduler.ts';
import { collectLists, tooManyNodes } from './collect-lists.ts';
import type { ObjectPlaces } from './introduced.ts';
import { DraftNodes, refused } from './draft-nodes.ts';

/**
 * From the new values of a push over parents down to what was verified before: which nodes are new, what each of them
 * introduces, and which values reach something that is missing (`docs/design/graph.md`, "Push"; GIT-149).
 */
export interface WalkPlaces extends ObjectPlaces {
  /** The verified node of an id that this push may lean on; -1 if it has none. */
  findNode(ids: Uint8Array, at: number): number;
  /** Place of a verified commit's tree; -1: the node is no commit. */
  nodeTree(node: number): number;
  /** Kind of what a verified node stands for. */
  nodeKind(node: number): KindNumber;
  /** Returns the links of a commit or tag; undefined if its body is ambiguous. */
  links(place: number): NodeLinks | undefined | Promise<NodeLinks | undefined>;
}

/** The outgoing links of a commit or tag. */
export interface NodeLinks {
  /** For a commit: the tree, then the parents; for a tag: its target. 20 bytes each, in `ids` from `offset` on. */
  readonly ids: Uint8Array;
  readonly offset: number;
  readonly parentCount: number;
  /** For a tag: kind of its target as the tag tells it. */
  readonly targetKind: KindNumber | undefined;
  /** Committer date in seconds since 1970; 0 for tags. */
  readonly date: number;
}

/** A node reference: below zero, `-1 - n` names verified node n; from zero on, a new node. */
export type NodeReference = number;

/** New nodes in tables, parents before children. */
export interface NewNodes {
  readonly count: number;
  /** By node: the place of its object. */
  readonly places: Uint32Array;
  /** By node: the place of its tree; -1: none. */
  readonly trees: Int32Array;
  /** References to the parents of a node. */
  readonly parentsOf: (node: number) => Int32Array;
  readonly dates: Uint32Array;
  /** By node: 0 if it was refused. */
  readonly complete: Uint8Array;
  /** Places: those of node n are `lists[listStarts[n]]` up to `lists[listEnds[n]]`, exclusive. */
  readonly listStarts: Uint32Array;
  readonly listEnds: Uint32Array;
  readonly lists: Uint32Array;
}

/** Result for one new value. `cut off`: all missing objects are beyond the boundary of a shallow client (GIT-119). */
export type SeedVerdict =
  | { readonly kind: 'missing' }
  | { readonly kind: 'cut off' }
  | { readonly kind: 'node'; readonly node: NodeReference; readonly objectKind: KindNumber };

export interface WalkResult {
  readonly nodes: NewNodes;
  /** In the order of the seeds. */
  readonly verdicts: readonly SeedVerdict[];
}

/** Commits at which history may end although they have parents. */
export interface WalkBoundary {
  /** Tests if history ends at the commit of a place, which becomes a node without parents (GIT-075, GIT-149). */
  endsAt(place: number): boolean;
  /**
   * Tests if the client declared that it lacks the parents of a commit (GIT-119). Called only if something is missing.
   */
  isCutAt(place: number): boolean;
}

export interface WalkOptions {
  readonly work: Work;
  readonly boundary: WalkBoundary;
  /** Bytes that the tables of new nodes and their lists may take (LIM-059). */
  readonly memoryMax: number;
  /** Pays for large trees that are compared. Default: they are not accounted for. */
  readonly memory?: MemoryShare;
  /** Pays for the tables of new nodes and their lists. Default: they are not accounted for. */
  readonly tables?: MemoryAccount;
  /** Lets another thread collect lists. Undefined: it has ended. Only for a push that leans on nothing. Default: none. */
  readonly collectBeside?: ((nodes: ListedNodes) => Promise<ListShare | undefined>) | undefined;
}

/**
 * Walks from `seeds`: ids of 20 bytes each, one after the other.
 *
 * @throws {NotEnoughMemoryError}
 */
export async function walkPush(
  codec: Codec,
  places: WalkPlaces,
  seeds: Uint8Array,
  options: WalkOptions,
): Promise<WalkResult> {
  const { work, boundary, memoryMax, tables } = options;
  const drafts = new DraftNodes(places, boundary);
  const seedNodes: NodeReference[] = [];
  for (let at = 0; at < seeds.length; at += objectIdBytes) seedNodes.push(drafts.reference(seeds, at, true));

  // New drafts are appended while the loop runs, so it visits all that the seeds reach.
  for (let node = 0; node < drafts.count; node++) {
    if (work.spend(cost.steps)) await work.yield();
    if (drafts.memory > memoryMax) throw tooManyNodes(drafts.memory, memoryMax);
    tables?.set(drafts.memory);
    const kind = drafts.kind(node);
    if (kind !== commitKind && kind !== tagKind) {
      drafts.closeNameless(node);
      continue;
    }
    const reading = places.links(drafts.place(node));
    const links = reading instanceof Promise ? await reading : reading;
    // Each parent is looked for in all packs.
    if (work.spend(cost.edges, links?.parentCount ?? 0)) await work.yield();
    drafts.close(node, links);
  }

  const order = await drafts.parentsFirst(work);
  const { failed, ...lists } = await collectLists(codec, places, drafts, order, options);
  if (failed !== undefined) await refuseFailed(drafts, order, failed, work);
  return {
    nodes: { ...(await drafts.inOrder(order, work)), ...lists },
    verdicts: verdictsOn(seedNodes, drafts, order),
  };
}

/** Refuses the nodes of failed ranks, each after its parents, since those decide first why a node is refused. */
async function refuseFailed(drafts: DraftNodes, order: Uint32Array, failed: Uint8Array, work: Work): Promise<void> {
  for (let rank = 0; rank < order.length; rank++) {
    const node = order[rank] as number;
    if (work.spend(cost.entries, 1 + drafts.parentCount(node))) await work.yield();
    if (drafts.isSound(node) && failed[rank] === 1) drafts.refuse(node);
  }
}

function verdictsOn(seeds: readonly NodeReference[], drafts: DraftNodes, order: Uint32Array): readonly SeedVerdict[] {
  const rank = new Uint32Array(order.length);
  order.forEach((node, i) => (rank[node] = i));
  const known = new Map<NodeReference, SeedVerdict>();
  const judge = (node: NodeReference): SeedVerdict => {
    if (node === refused) return { kind: 'missing' };
    if (node >= 0 && !drafts.isSound(node)) return { kind: drafts.isCutOff(node) ? 'cut off' : 'missing' };
    return { kind: 'node', node: node < 0 ? node : (rank[node] as number), objectKind: drafts.kindOf(node) };
  };
  // Thousands of refs may be set to one node, which may have many parents.
  return seeds.map((node) => {
    const verdict = known.get(node) ?? judge(node);
    known.set(node, verdict);
    return verdict;
  });
}
