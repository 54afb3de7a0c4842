import type { ResourceTagsSeed } from './tag-seed.ts';

/** What a mock holds, as data. */
export interface Seed {
  /** Names of namespaces; those of repos need not be named. */
  readonly namespaces?: readonly string[];
  /** By name, in the namespace `default`, or by `namespace/name`; in the order in which they were made. */
  readonly repos?: Readonly<Record<string, RepoSeed>>;
  /** Tags of resources, repos among them. */
  readonly tags?: readonly (ResourceTagsSeed | RepoTagsSeed)[];
}

/** Tags of a repo, under the type `repository`. */
export interface RepoTagsSeed {
  /** As in {@link Seed.repos}. */
  readonly repo: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** A repo; `{}` is an empty one. */
export interface RepoSeed {
  readonly description?: string;
  /** Default `main`. */
  readonly defaultBranch?: string;
  readonly readOnly?: boolean;
  /** ISO 8601, from 1970 on. Default: a moment ago, in the order of the seed. */
  readonly createdAt?: string;
  /** What a first commit on the default branch holds, by path. */
  readonly files?: Readonly<Record<string, FileSeed>>;
  /** Oldest first, after the one that `files` makes. */
  readonly commits?: readonly CommitSeed[];
  /** Git tags by name: a branch, or the number of a commit from 0 on, that of `files` included. */
  readonly tags?: Readonly<Record<string, string | number | AnnotatedTagSeed>>;
}

/** A text, bytes, or either with the mode of the file. */
export type FileSeed =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode: 'executable' | 'symlink' };

/** A commit on top of its branch; a branch that is new begins where the default branch is by then. */
export interface CommitSeed {
  /** Default `Commit {number}`. */
  readonly message?: string;
  /** Default: the default branch. */
  readonly branch?: string;
  /** What it changes, by path; null removes a file. */
  readonly files?: Readonly<Record<string, FileSeed | null>>;
  /** Default `Ada Example <ada@example.com>`. */
  readonly author?: { readonly name: string; readonly email: string };
  /** ISO 8601, from 1970 on. Default: when the repo was made. */
  readonly at?: string;
}

/** A tag with a message of its own. */
export interface AnnotatedTagSeed {
  /** A branch, or the number of a commit. */
  readonly target: string | number;
  readonly message: string;
}
