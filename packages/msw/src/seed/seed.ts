import type { ResourceTagsSeed } from './tag-seed.ts';

/** The content of a mock, as data. */
export interface Seed {
  /** Names of namespaces. The namespaces of `repos` need not be listed. */
  readonly namespaces?: readonly string[];
  /** Repos by `name`, in the namespace `default`, or by `namespace/name`; in the order of their creation. */
  readonly repos?: Readonly<Record<string, RepoSeed>>;
  /** Tags of resources, repos among them. */
  readonly tags?: readonly (ResourceTagsSeed | RepoTagsSeed)[];
}

/** Tags of a repo, under the type `repository`. */
export interface RepoTagsSeed {
  /** The repo, named as in {@link Seed.repos}. */
  readonly repo: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** A repo; `{}` is an empty repo. */
export interface RepoSeed {
  readonly description?: string;
  /** Default: `main`. */
  readonly defaultBranch?: string;
  readonly readOnly?: boolean;
  /** ISO 8601, from 1970 on. Default: a moment ago, in the order of the seed. */
  readonly createdAt?: string;
  /** The files of a first commit on the default branch, by path. */
  readonly files?: Readonly<Record<string, FileSeed>>;
  /** Further commits, oldest first, after the one that `files` creates. */
  readonly commits?: readonly CommitSeed[];
  /** Git tags by name. The target is a branch, or the number of a commit from 0 on, including the one of `files`. */
  readonly tags?: Readonly<Record<string, string | number | AnnotatedTagSeed>>;
}

/** A text, bytes, or either with a file mode. */
export type FileSeed =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode: 'executable' | 'symlink' };

/** A commit on top of its branch. A new branch begins at the current commit of the default branch. */
export interface CommitSeed {
  /** Default: `Commit {number}`. */
  readonly message?: string;
  /** Default: the default branch. */
  readonly branch?: string;
  /** Changed files by path; null removes a file. */
  readonly files?: Readonly<Record<string, FileSeed | null>>;
  /** Default: `Ada Example <ada@example.com>`. */
  readonly author?: { readonly name: string; readonly email: string };
  /** ISO 8601, from 1970 on. Default: the creation time of the repo. */
  readonly at?: string;
}

/** An annotated tag. */
export interface AnnotatedTagSeed {
  /** A branch, or the number of a commit. */
  readonly target: string | number;
  readonly message: string;
}
