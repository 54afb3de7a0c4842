/** Kinds of objects, numbered as pack entries number them (gitformat-pack(5)). */

export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

/** Number of a kind in a pack entry's header. */
export const kindNumber: Readonly<Record<ObjectKind, KindNumber>> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** 1 commit, 2 tree, 3 blob, 4 tag. Tables hold kinds in this form. */
export type KindNumber = 1 | 2 | 3 | 4;

export const commitKind = 1;
export const treeKind = 2;
export const blobKind = 3;
export const tagKind = 4;

const names: readonly ObjectKind[] = ['commit', 'tree', 'blob', 'tag'];

/** Returns the name of a kind number. */
export function kindName(kind: KindNumber): ObjectKind {
  return names[kind - 1] as ObjectKind;
}

/** A whole object. */
export interface GitObject {
  readonly kind: KindNumber;
  /**
   * The body without the `<kind> <size>\0` header, which the id covers, too. Never change it: it may be a view of a
   * larger buffer.
   */
  readonly body: Uint8Array;
}
