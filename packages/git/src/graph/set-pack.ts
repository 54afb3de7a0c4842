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
  /**
   * By ordinal: the oldest home of objects that older packs hold too and that its graph could not know of, since
   * those packs came in while this one was checked.
   */
  readonly late: ReadonlyMap<number, number>;
}

/** The number of an object that a pack's graph refers to; {@link noObject} stays what it is. */
export function globalObject(pack: Omit<SetPack, 'record' | 'nodeStart'>, reference: number): number {
  const { graph, objectStart, extObjects, late } = pack;
  if (reference < graph.count) return (late.size === 0 ? undefined : late.get(reference)) ?? objectStart + reference;
  return reference === noObject ? noObject : (extObjects[reference - graph.count] as number);
}
