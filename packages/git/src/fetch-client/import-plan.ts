import { isValidBranchName, type RefName } from '../refs/ref-name.ts';
import { resolveHead } from '../refs/head.ts';
import { isHidden } from '../stored-refs/visible-refs.ts';
import { RemoteError } from './remote-error.ts';
import { isBranch, type RemoteRef, type RemoteRefs } from './remote-refs.ts';

/** The requested part of a remote. */
export interface ImportChoice {
  /** Short name of the only branch; undefined: all branches and tags, or with a depth the one that HEAD names. */
  readonly branch: string | undefined;
  /** Commits at which history is cut off, at least 1; undefined: no cut. */
  readonly depth: number | undefined;
}

/** The imported refs (REPO-130). */
export interface ImportPlan {
  /** All of these are imported, or none. */
  readonly refs: readonly RemoteRef[];
  /** Refs among these that turn out to point into the history of the others. */
  readonly tags: readonly RemoteRef[];
  /** Short name of the default branch. */
  readonly defaultBranch: string;
  readonly depth: number | undefined;
}

const fallback = 'main';

/**
 * Chooses the imported refs of a remote. Excludes refs that are hidden here.
 *
 * @throws {RemoteError} `branch missing`.
 */
export function planImport(remote: RemoteRefs, choice: ImportChoice, hiddenRefs: readonly string[]): ImportPlan {
  const { depth } = choice;
  const refs = remote.refs.filter(({ name }) => !isHidden(name, hiddenRefs));
  const named = remote.head?.slice('refs/heads/'.length);
  const headBranch = named !== undefined && isValidBranchName(named) ? named : fallback;
  if (choice.branch !== undefined) {
    const tags = refs.filter(({ name }) => !isBranch(name));
    const branch = requireRef(refs, `refs/heads/${choice.branch}` as RefName);
    return { refs: [branch], tags, defaultBranch: choice.branch, depth };
  }
  if (depth === undefined) return { refs, tags: [], defaultBranch: headBranch, depth };
  const branches = refs.filter(({ name }) => isBranch(name));
  if (branches.length === 0) return { refs: [], tags: [], defaultBranch: headBranch, depth };
  // If HEAD names no branch, use the one that a clone of this repository would (GIT-130).
  const head = resolveHead(branches, headBranch);
  return { refs: [requireRef(branches, head.ref)], tags: [], defaultBranch: headBranch, depth };
}

function requireRef(refs: readonly RemoteRef[], name: RefName): RemoteRef {
  const found = refs.find((ref) => ref.name === name);
  if (found === undefined) throw new RemoteError('branch missing', 'the remote has no such branch');
  return found;
}
