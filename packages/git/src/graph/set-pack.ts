import type { PackRecord } from '../ports/repo-state.ts';
import { noObject, type PackGraph } from './pack-graph.ts';

/** A pack as part of a set of graphs. */
export interface SetPack {
  readonly record: PackRecord;
  readonly graph: PackGraph;
  readonly objectStart: number;
  readonly nodeStart: number;
  /** Numbers of the objects its `ext` entries name; {@link noObject} for what no older pack holds. */
  readonly extObjects: Uint32Array;
}

/** The number of an object that a pack's graph refers to; {@link noObject} stays what it is. */
export function globalObject(
  graph: PackGraph,
  objectStart: number,
  extObjects: Uint32Array,
  reference: number,
): number {
  if (reference < graph.count) return objectStart + reference;
  return reference === noObject ? noObject : (extObjects[reference - graph.count] as number);
}
