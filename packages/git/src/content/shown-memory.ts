import type { GraphSet } from '../graph/graph-set.ts';

/** Bytes a reply takes for each byte of a commit or tree: the body, its texts, their JSON with all that is escaped, and that in bytes. */
const shownPerByte = 12;
const shownPerObject = 1024;

/** Bytes it takes to show a commit or tree of that size. */
export function shownMemory(size: number): number {
  return shownPerObject + shownPerByte * size;
}

/** Bytes of an object in full, as the graph knows. */
export function sizeOfObject(set: GraphSet, object: number): number {
  const { graph, objectStart } = set.packOfObject(object);
  return graph.sizes[object - objectStart] as number;
}
