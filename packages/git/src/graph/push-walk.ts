import { commitKind, tagKind, type KindNumber } from '../object/kind.ts';
import { objectIdBytes } from '../object/object-id.ts';
import type { Codec } from '../ports/codec.ts';
import type { Turns } from '../turns.ts';
import { GrowableUint32 } from './growable.ts';
import { incomplete, IntroducedLists, type ObjectPlaces } from './introduced.ts';

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
  /** What a commit or tag refers to; undefined if its body does not say so clearly. */
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

/** New nodes, parents before children: parallel tables. */
export interface NewNodes {
  readonly count: number;
  /** By node: the place of its object. */
  readonly places: readonly number[];
  /** By node: the place of its tree; -1: none. */
  readonly trees: readonly number[];
  readonly parents: readonly (readonly NodeReference[])[];
  readonly dates: readonly number[];
  /** By node: false if it was refused. */
  readonly complete: readonly boolean[];
  /** Places: those of node n are `lists[listStarts[n]]` up to `lists[listStarts[n + 1]]`, exclusive. */
  readonly listStarts: readonly number[];
  readonly lists: Uint32Array;
}

/** What became of one new value. */
export type SeedVerdict =
  | { readonly kind: 'missing' }
  /** `place` is -1 for a verified node. */
  | { readonly kind: 'node'; readonly node: NodeReference; readonly objectKind: KindNumber };

export interface WalkResult {
  readonly nodes: NewNodes;
  /** In the order of the seeds. */
  readonly verdicts: readonly SeedVerdict[];
}

interface DraftNode {
  readonly place: number;
  readonly kind: KindNumber;
  tree: number;
  parents: NodeReference[];
  date: number;
  sound: boolean;
}

const refused: NodeReference = Number.MIN_SAFE_INTEGER;

/** Walks from `seeds`: ids of 20 bytes each, one after the other. */
export async function walkPush(codec: Codec, places: WalkPlaces, seeds: Uint8Array, turns: Turns): Promise<WalkResult> {
  const drafts: DraftNode[] = [];
  const draftOfPlace = new Map<number, number>();

  /** Reference of the node an id stands for; a new one is put on the stack. */
  const reference = (ids: Uint8Array, at: number, anyKind: boolean): NodeReference => {
    const node = places.findNode(ids, at);
    if (node >= 0) return -1 - node;
    const place = places.find(ids, at);
    if (place < 0) return refused;
    const known = draftOfPlace.get(place);
    if (known !== undefined) return known;
    const kind = places.kind(place);
    if (!anyKind && kind !== commitKind && kind !== tagKind) return refused;
    const number = drafts.length;
    drafts.push({ place, kind, tree: -1, parents: [], date: 0, sound: true });
    draftOfPlace.set(place, number);
    return number;
  };
  const kindOf = (node: NodeReference): KindNumber =>
    node < 0 ? places.nodeKind(-1 - node) : (drafts[node] as DraftNode).kind;

  const seedNodes: NodeReference[] = [];
  for (let at = 0; at < seeds.length; at += objectIdBytes) seedNodes.push(reference(seeds, at, true));

  // New drafts are appended while the loop runs, so it visits all that the seeds reach.
  for (let number = 0; number < drafts.length; number++) {
    if (turns.due()) await turns.pass();
    const draft = drafts[number] as DraftNode;
    if (draft.kind !== commitKind && draft.kind !== tagKind) {
      draft.tree = draft.place;
      continue;
    }
    const reading = places.links(draft.place);
    const links = reading instanceof Promise ? await reading : reading;
    draft.sound = links !== undefined && followLinks(draft, links, places, reference, kindOf);
  }

  const order = parentsFirst(drafts);
  const lists = new IntroducedLists(codec, places);
  const flat = new GrowableUint32(drafts.length * 4 + 16);
  const listStarts: number[] = [0];
  const rank = new Array<number>(drafts.length);
  order.forEach((number, i) => (rank[number] = i));
  for (const number of order) {
    if (turns.due()) await turns.pass();
    const draft = drafts[number] as DraftNode;
    draft.sound &&= draft.parents.every((parent) => parent < 0 || (drafts[parent] as DraftNode).sound);
    if (draft.sound) {
      const parentTrees: number[] = [];
      for (const parent of draft.parents) {
        const tree = parent < 0 ? places.nodeTree(-1 - parent) : (drafts[parent] as DraftNode).tree;
        if (draft.kind === commitKind && tree >= 0) parentTrees.push(tree);
      }
      const before = flat.length;
      draft.sound =
        (await lists.collect({ place: draft.place, kind: draft.kind, tree: draft.tree, parentTrees }, flat)) !==
        incomplete;
      if (!draft.sound) flat.length = before;
    }
    listStarts.push(flat.length);
  }

  const inOrder = (node: NodeReference): NodeReference => (node < 0 ? node : (rank[node] as number));
  const sorted = order.map((number) => drafts[number] as DraftNode);
  return {
    nodes: {
      count: sorted.length,
      places: sorted.map((draft) => draft.place),
      trees: sorted.map((draft) => draft.tree),
      parents: sorted.map((draft) => draft.parents.map(inOrder)),
      dates: sorted.map((draft) => draft.date),
      complete: sorted.map((draft) => draft.sound),
      listStarts,
      lists: flat.toArray(),
    },
    verdicts: seedNodes.map((node): SeedVerdict => {
      if (node === refused || (node >= 0 && !(drafts[node] as DraftNode).sound)) return { kind: 'missing' };
      return { kind: 'node', node: inOrder(node), objectKind: kindOf(node) };
    }),
  };
}

/** Enters what a commit or tag refers to; false if something is missing or of the wrong kind. */
function followLinks(
  draft: DraftNode,
  links: NodeLinks,
  places: WalkPlaces,
  reference: (ids: Uint8Array, at: number, anyKind: boolean) => NodeReference,
  kindOf: (node: NodeReference) => KindNumber,
): boolean {
  draft.date = links.date;
  const { ids, offset } = links;
  if (draft.kind === commitKind) {
    draft.tree = places.find(ids, offset);
    if (draft.tree < 0) return false;
    for (let i = 1; i <= links.parentCount; i++) {
      const parent = reference(ids, offset + i * objectIdBytes, false);
      if (parent === refused || kindOf(parent) !== commitKind) return false;
      draft.parents.push(parent);
    }
    return true;
  }
  const target = links.targetKind;
  if (target === commitKind || target === tagKind) {
    const node = reference(ids, offset, false);
    if (node === refused || kindOf(node) !== target) return false;
    draft.parents.push(node);
    return true;
  }
  draft.tree = places.find(ids, offset);
  return draft.tree >= 0 && places.kind(draft.tree) === target;
}

/** Numbers of the drafts, each after all its parents, by generation: neighbours in history share their trees. */
function parentsFirst(drafts: readonly DraftNode[]): readonly number[] {
  const children: number[][] = drafts.map(() => []);
  const waiting = new Uint32Array(drafts.length);
  drafts.forEach((draft, number) => {
    for (const parent of draft.parents) {
      if (parent < 0) continue;
      (children[parent] as number[]).push(number);
      waiting[number] = (waiting[number] as number) + 1;
    }
  });
  const order: number[] = [];
  drafts.forEach((_, number) => {
    if (waiting[number] === 0) order.push(number);
  });
  for (let head = 0; head < order.length; head++) {
    for (const child of children[order[head] as number] as number[]) {
      waiting[child] = (waiting[child] as number) - 1;
      if (waiting[child] === 0) order.push(child);
    }
  }
  return order;
}
