import type { ObjectId } from '../object/object-id.ts';
import type { PackedRefs } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';

/** Which refs are read, hidden ones included. */
export type RefQuery =
  /** Those of these names, at most {@link refNamesMax}, in any order. */
  | { readonly kind: 'named'; readonly names: readonly RefName[] }
  /** Up to {@link refsPerOid} that have each of these values, at most {@link refOidsMax}. */
  | { readonly kind: 'pointing'; readonly oids: readonly ObjectId[] }
  /** Those whose names start with `prefix` and sort behind `after`. `limit`: at most {@link packedRefsMax}, the default. */
  | { readonly kind: 'below'; readonly prefix: string; readonly after?: RefName; readonly limit?: number }
  /**
   * Those that changed between the version `since`, older or newer, and this one, and sort behind `after` and not behind
   * `end`. Also those that do not exist now.
   */
  | { readonly kind: 'changed'; readonly since: number; readonly after?: RefName; readonly end?: RefName };

/** A part of the refs that were asked for. */
export interface RefPage {
  /** Sorted bytewise by name. */
  readonly chunks: readonly PackedRefs[];
  /** What to pass as `after` for the next part; undefined: this is the last one. */
  readonly next: RefName | undefined;
}

/** Most names of one query. */
export const refNamesMax = 1_000;
/** Most values of one query. */
export const refOidsMax = 64;
/** Most refs that are told of one value. */
export const refsPerOid = 16;
/** Changes of refs that are remembered, so that older versions can be read. */
export const refHistoryMax = 16_384;
