import type { ObjectId } from '../object/object-id.ts';
import type { PackedRefs } from '../refs/packed-refs.ts';
import type { RefName } from '../refs/ref-name.ts';

/** A query of refs, including hidden ones. */
export type RefQuery =
  /** Refs with these names, at most {@link refNamesMax}, in any order. */
  | { readonly kind: 'named'; readonly names: readonly RefName[] }
  /** Up to {@link refsPerOid} refs with each of these values, at most {@link refOidsMax}. */
  | { readonly kind: 'pointing'; readonly oids: readonly ObjectId[] }
  /**
   * Refs with names that start with `prefix` and sort after `after`. `limit`: at most {@link packedRefsMax}, the
   * default.
   */
  | { readonly kind: 'below'; readonly prefix: string; readonly after?: RefName; readonly limit?: number }
  /**
   * Refs that changed between the version `since`, older or newer, and this one, and sort after `after` up to `end`.
   * Includes refs that do not exist now.
   */
  | { readonly kind: 'changed'; readonly since: number; readonly after?: RefName; readonly end?: RefName };

/** A page of the requested refs. */
export interface RefPage {
  /** Sorted bytewise by name. */
  readonly chunks: readonly PackedRefs[];
  /** Pass it as `after` for the next page; undefined on the last page. */
  readonly next: RefName | undefined;
}

/** Maximum number of names in one query. */
export const refNamesMax = 1_000;
/** Maximum number of values in one query. */
export const refOidsMax = 64;
/** Maximum number of refs returned for one value. */
export const refsPerOid = 16;
/** Number of stored ref changes, so that older versions can be read. */
export const refHistoryMax = 16_384;
