import { commitKind } from '../object/kind.ts';
import type { GraphSet } from './graph-set.ts';
import { globalObject } from './set-pack.ts';
import { paint } from './paint.ts';
import { noObject } from './pack-graph.ts';
import { peel, tagTarget } from './peel.ts';

/**
 * What a fetch must send, decided over integers without opening an object (`docs/design/graph.md`, "Fetch"):
 * what the nodes introduce that the wants reach and the client lacks, less what the client holds by another node.
 */
export interface FetchRequestNodes {
  /** Nodes the client wants. */
  readonly wants: readonly number[];
  /** Objects wanted by id that are no nodes, with all they reach. */
  readonly objects: Iterable<number>;
  /** Nodes that client and server have in common. */
  readonly common: readonly number[];
  /** Nodes of visible tags, if `include-tag` was asked for (GIT-068). */
  readonly tags: readonly number[];
}

export interface FetchPlan {
  /** Numbers of the objects to send, ascending: by pack and offset. */
  readonly objects: Uint32Array;
  /** Whether the client surely has an object, so that a thin pack may lean on it (GIT-067). */
  readonly held: (object: number) => boolean;
}

const common = 1;
const wanted = 2;

export function planFetch(set: GraphSet, request: FetchRequestNodes): FetchPlan {
  const colours = new Uint8Array(set.nodeCount);
  paint(set, request.common, colours, common);
  paint(set, request.wants, colours, wanted);
  addTags(set, request.tags, colours);
  const commonExists = request.common.length > 0;
  const held = (object: number): boolean => commonExists && set.introducers.hasIntroducer(object, colours, common);

  const chosen = new Uint8Array(set.objectCount);
  let count = 0;
  const choose = (object: number): void => {
    if (object === noObject || chosen[object] !== 0 || held(object)) return;
    chosen[object] = 1;
    count++;
  };
  for (const pack of set.packs) {
    const { graph, nodeStart } = pack;
    for (let node = 0; node < graph.nodeCount; node++) {
      if (colours[nodeStart + node] !== wanted) continue;
      choose(set.nodeObjects[nodeStart + node] as number);
      const end = graph.listStarts[node + 1] as number;
      for (let i = graph.listStarts[node] as number; i < end; i++) {
        choose(globalObject(pack, graph.lists[i] as number));
      }
    }
  }
  // What is wanted by id, or by a tag of a tree or blob, is sent whatever the client holds (GIT-066, GIT-086).
  const insist = (object: number): void => {
    if (chosen[object] !== 0) return;
    chosen[object] = 1;
    count++;
  };
  for (const object of request.objects) insist(object);
  for (const want of request.wants) insistOnTagged(set, want, insist);
  for (const tag of request.tags) chooseTagOfSent(set, tag, chosen, choose);

  const objects = new Uint32Array(count);
  let filled = 0;
  for (let object = 0; filled < count; object++) if (chosen[object] !== 0) objects[filled++] = object;
  return { objects, held };
}

/** Colours tags of commits that are sent, with each tag in between. */
function addTags(set: GraphSet, tags: readonly number[], colours: Uint8Array): void {
  for (const tag of tags) {
    const end = peel(set, tag);
    if (colours[end] !== wanted) continue;
    for (let node = tag; node !== end && colours[node] === 0; node = tagTarget(set, node)) colours[node] = wanted;
  }
}

/** Chooses a tag of a tree or blob that is sent, with each tag in between. */
function chooseTagOfSent(set: GraphSet, tag: number, chosen: Uint8Array, choose: (object: number) => void): void {
  const end = peel(set, tag);
  if (set.nodeKind(end) === commitKind || chosen[set.nodeTrees[end] as number] !== 1) return;
  choose(set.nodeObjects[end] as number);
  for (let node = tag; node !== end; node = tagTarget(set, node)) choose(set.nodeObjects[node] as number);
}

function insistOnTagged(set: GraphSet, want: number, insist: (object: number) => void): void {
  const end = peel(set, want);
  if (set.nodeKind(end) === commitKind) return;
  insist(set.nodeObjects[end] as number);
  set.forEachIntroduced(end, insist);
  for (let tag = want; tag !== end; tag = tagTarget(set, tag)) insist(set.nodeObjects[tag] as number);
}
