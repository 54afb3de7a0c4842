/** An entry of a tree, as REST and the binding return it (REPO-056). */
export interface ShownEntry {
  readonly name: string;
  readonly mode: string;
  readonly hash: string;
  readonly type: string;
}

/** A commit, as REST and the binding return it (REPO-055). */
export interface ShownCommit {
  readonly hash: string;
  readonly treeHash: string;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly committer: { readonly name: string; readonly email: string };
  readonly parents: readonly string[];
  readonly authoredAt: number;
  readonly committedAt: number;
}

/** A ref as REST and the binding show it (REPO-232). */
export interface ShownRefChange {
  readonly name: string;
  readonly old: string | null;
  readonly new: string | null;
}

export interface ShownNewCommit {
  readonly commit: string;
  readonly tree: string;
  readonly ref: ShownRefChange;
  readonly paths: readonly string[];
}

export interface ShownRef {
  readonly name: string;
  readonly hash: string;
  readonly kind: string;
  readonly peeled: string | null;
}
