import {
  commitFiles,
  type CommitRefusal,
  type GitEngine,
  type ObjectId,
  type PathFault,
  type RequestWork,
} from '@packhouse/git';
import { HostingError, repoErrors, type ErrorItem, type RawFields, type RepoErrorKind } from '@packhouse/base';
import { changeRepo, openForChange } from '../changes/change-repo.ts';
import type { Context } from '../internal/context.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import type { RepoIdentity, RepoPath } from '../lookup/open-repo.ts';
import type { RefChange } from '../refs/update-refs.ts';
import { readCommit } from './read-commit.ts';

/** A new commit (REPO-254), members in order. */
export interface NewCommit {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  /** The move of the branch. */
  readonly ref: RefChange;
  /** The paths of the changes, each once, in their order; of a move both. */
  readonly paths: readonly string[];
}

export interface Commits {
  /**
   * Commits changes of files to a branch (REPO-251 to REPO-255).
   *
   * @throws {HostingError} for errors that the client gets.
   */
  create(repo: RepoPath | RepoIdentity, body: RawFields, work?: RequestWork): Promise<NewCommit>;
}

export function createCommits(context: Context, known: KnownRepos, engine: GitEngine): Commits {
  return {
    async create(place, body, work = engine.scheduler.begin({ tenant: place.account })) {
      const wanted = readCommit(body, Math.floor(context.clock.now() / 1000));
      const repo = await openForChange(context, known, place);
      const { commit, tree, ref } = await changeRepo(context, repo, work, async (rules) => {
        const result = await commitFiles(engine, repo.repo, repo.snapshot, wanted, rules);
        if (result.kind === 'refused') throw failureOf(result.refusal);
        return result;
      });
      const changes = body['changes'] as readonly { readonly path: string; readonly from?: string }[] | undefined;
      const paths = (changes ?? []).flatMap(({ path, from }, i) =>
        wanted.changes[i]?.op === 'move' ? [from as string, path] : [path],
      );
      return { commit, tree, ref: { name: ref.name, old: ref.old, new: ref.new }, paths: [...new Set(paths)] };
    },
  };
}

const faults: Readonly<Record<PathFault, string>> = {
  missing: 'there is no such file or folder',
  'is a folder': 'a folder is there',
  'is below a file': 'a file is above it',
  exists: 'something is there already',
};

function failureOf(refusal: CommitRefusal): HostingError {
  const failure = (kind: RepoErrorKind, more: Partial<ErrorItem> = {}): HostingError => {
    const { code, message } = repoErrors[kind];
    return new HostingError(kind, { items: [{ kind, code, message, ...more }] });
  };
  const refused = (kind: RepoErrorKind, reason: string, more: Partial<ErrorItem> = {}): HostingError =>
    failure(kind, { message: `${repoErrors[kind].message}: ${reason}`, ...more });
  switch (refusal.kind) {
    case 'stale':
      return failure('staleRef', { details: { head: refusal.head } });
    case 'no ref':
      return failure('refNotFound');
    case 'nothing changes':
      return refused('nothingToCommit', 'nothing to commit');
    case 'path': {
      const { change, member, fault } = refusal;
      return refused('changeRefused', faults[fault], { pointer: `/changes/${change}/${member}` });
    }
    case 'no blob':
      return failure('blobNotFound', { pointer: `/changes/${refusal.change}/hash` });
    case 'refused':
      return refused('refRefused', refusal.reason);
  }
}
