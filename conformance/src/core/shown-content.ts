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
  readonly truncated: boolean;
}

export interface ShownNewBlob {
  readonly hash: string;
  readonly size: number;
}

export interface ShownRef {
  readonly name: string;
  readonly hash: string;
  readonly kind: string;
  readonly peeled: string | null;
}

/** A line with a match as REST and the binding show it (REPO-294). */
export interface ShownMatch {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly clipped: boolean;
}

/** A branch after a merge, cherry-pick or revert (REPO-281). */
export interface ShownMerge {
  readonly commit: string | null;
  readonly tree: string;
  readonly from: string;
  readonly ref: ShownRefChange;
}

/** The result of a search as REST and the binding show it (REPO-294). */
export interface ShownSearch {
  readonly commit: string;
  readonly matches: readonly ShownMatch[];
  readonly skipped: number;
  readonly truncated: boolean;
}
