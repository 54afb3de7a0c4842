import { blobKind, commitKind, kindNumber, tagKind, treeKind, type KindNumber } from '../object/kind.ts';
import type { FilterPart } from './filter-spec.ts';
import type { SparseMatcher } from './sparse-matcher.ts';

/** A part of a filter that depends on an object's depth or path, so that trees must be walked. */
export type PlacedPart =
  | { readonly kind: 'tree'; readonly depth: number }
  | { readonly kind: 'sparse'; readonly matcher: SparseMatcher };

/** A filter that is ready to use (section 5 of the specification). */
export interface ObjectFilter {
  /**
   * Tests an object against the parts that only depend on the object itself, which lists of the graph know. `size` is
   * that of its body in bytes. {@link ObjectFilter.placed} parts must pass a tree or blob, too.
   */
  readonly passes: (kind: KindNumber, size: number) => boolean;
  /** True if some object of the kind may pass. */
  readonly passesSome: (kind: KindNumber) => boolean;
  /**
   * True if an object of the kind may be a delta base without being sent, which means that no client can lack it
   * (GIT-087).
   */
  readonly leansOn: (kind: KindNumber) => boolean;
  /** Empty if these parts cannot exclude an object that the others pass. */
  readonly placed: readonly PlacedPart[];
}

/** The filter of these parts; `matchers` are those of the `sparse:oid` parts. */
export function objectFilter(parts: readonly FilterPart[], matchers: readonly SparseMatcher[]): ObjectFilter {
  let blobsBelow = Infinity;
  let depth = Infinity;
  const kinds = new Set<KindNumber>([commitKind, treeKind, blobKind, tagKind]);
  for (const part of parts) {
    if (part.kind === 'blob:none') kinds.delete(blobKind);
    else if (part.kind === 'blob:limit') blobsBelow = Math.min(blobsBelow, part.bytes);
    else if (part.kind === 'tree') depth = Math.min(depth, part.depth);
    else if (part.kind === 'object:type') {
      for (const kind of kinds) if (kind !== kindNumber[part.type]) kinds.delete(kind);
    }
  }
  if (depth === 0) kinds.delete(treeKind);
  if (depth === 0 || blobsBelow === 0) kinds.delete(blobKind);
  const hasBlobs = kinds.has(blobKind);
  const placed: PlacedPart[] = [];
  if (depth < Infinity && (hasBlobs || kinds.has(treeKind))) placed.push({ kind: 'tree', depth });
  // Filters with patterns include all trees.
  if (hasBlobs) for (const matcher of matchers) placed.push({ kind: 'sparse', matcher });
  return {
    passes: (kind, size) => kinds.has(kind) && (kind !== blobKind || size < blobsBelow),
    passesSome: (kind) => kinds.has(kind),
    leansOn: (kind) => kind !== blobKind && kinds.has(kind) && (kind !== treeKind || depth === Infinity),
    placed,
  };
}
