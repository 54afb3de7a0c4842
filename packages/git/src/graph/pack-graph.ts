/**
 * Contents of one graph file in its loaded form: flat tables with a few bytes per object.
 *
 * An **object reference** is the ordinal of an object in the pack, or `count + i` for entry i of {@link PackGraph.ext}.
 * A **node reference** is the number of a node of this file, or `nodeCount + i` for entry i of `ext`.
 */
export interface PackGraph {
  /** SHA-1 trailer of the pack this belongs to: 20 bytes. */
  readonly packChecksum: Uint8Array;
  /** Objects in the pack. */
  readonly count: number;
  /** Ids (20 bytes each) of objects whose home is an older pack and that this file names. */
  readonly ext: Uint8Array;
  /** By ordinal: kind number in the low three bits, and {@link closedFlag}. */
  readonly kinds: Uint8Array;
  /** By ordinal: offset of the entry in the pack; behind the last one where the entries end. */
  readonly offsets: Uint32Array | Float64Array;
  /** By ordinal: ordinal of the delta base; -1 for whole objects. */
  readonly bases: Int32Array;
  /** By ordinal: size of the object in full. */
  readonly sizes: Uint32Array;
  /** Pairs of ordinal and `ext` entry: objects this pack holds a second time. Ascending by ordinal. */
  readonly duplicates: Uint32Array;

  readonly nodeCount: number;
  /** By node: reference of its object, ascending. */
  readonly nodeObjects: Uint32Array;
  /** Node references: those of node n are `parents[parentStarts[n]]` up to `parentStarts[n + 1]`, exclusive. */
  readonly parentStarts: Uint32Array;
  readonly parents: Uint32Array;
  /** By node: reference of its tree (of the tree or blob a tag points to); {@link noObject} for tags of commits and tags. */
  readonly nodeTrees: Uint32Array;
  /** By node: committer date in seconds since 1970, cut to 32 bits; 0 for tags. */
  readonly dates: Uint32Array;
  /** Object references: those that node n introduces, itself left out. */
  readonly listStarts: Uint32Array;
  readonly lists: Uint32Array;
  /** Ids of the nodes (20 bytes each), sorted, and by their rank there the node. */
  readonly nodeIds: Uint8Array;
  readonly nodesById: Uint32Array;
}

/** Some node of the file lists the object, so all it reaches is stored. */
export const closedFlag = 8;
/** Mask of the kind number in {@link PackGraph.kinds}. */
export const kindMask = 7;
/** No object, in {@link PackGraph.nodeTrees}. */
export const noObject = 0xffff_ffff;

/** Bytes a loaded graph takes, for caches. */
export function graphMemory(graph: PackGraph): number {
  let bytes = 0;
  for (const table of Object.values(graph)) if (ArrayBuffer.isView(table)) bytes += table.byteLength;
  return bytes;
}
