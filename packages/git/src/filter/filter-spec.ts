import type { ObjectKind } from '../object/kind.ts';

/** What a client wants left out of the packs it gets (section 5), parsed. */
export interface FilterSpec {
  /** As the client sent it, for messages. */
  readonly text: string;
  /** An object is sent if every one lets it through (GIT-084); at least one, and none is a `combine` itself. */
  readonly parts: readonly FilterPart[];
}

export type FilterPart =
  /** GIT-080. */
  | { readonly kind: 'blob:none' }
  /** Leaves out blobs of so many bytes and more (GIT-080). */
  | { readonly kind: 'blob:limit'; readonly bytes: number }
  /** Leaves out trees and blobs that lie so deep or deeper (GIT-081). */
  | { readonly kind: 'tree'; readonly depth: number }
  /** GIT-082. */
  | { readonly kind: 'object:type'; readonly type: ObjectKind }
  /** An object id, a ref, or either with `:<path>`: the blob with the patterns (GIT-083). */
  | { readonly kind: 'sparse:oid'; readonly name: string };
