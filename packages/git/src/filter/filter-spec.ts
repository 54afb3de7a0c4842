import type { ObjectKind } from '../object/kind.ts';

/** A parsed filter: objects that a client does not want in its packs (section 5). */
export interface FilterSpec {
  /** Text of the client, for messages. */
  readonly text: string;
  /** An object is sent if all parts pass it (GIT-084). There is at least one part, and none is a `combine`. */
  readonly parts: readonly FilterPart[];
}

export type FilterPart =
  /** Excludes all blobs (GIT-080). */
  | { readonly kind: 'blob:none' }
  /** Leaves out blobs of this number of bytes or more (GIT-080). */
  | { readonly kind: 'blob:limit'; readonly bytes: number }
  /** Leaves out trees and blobs at this depth or deeper (GIT-081). */
  | { readonly kind: 'tree'; readonly depth: number }
  /** Passes only objects of one type (GIT-082). */
  | { readonly kind: 'object:type'; readonly type: ObjectKind }
  /** An object id, a ref, or either with `:<path>`: the blob with the patterns (GIT-083). */
  | { readonly kind: 'sparse:oid'; readonly name: string };
