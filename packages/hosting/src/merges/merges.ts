import { HostingError, type RawFields } from '@packhouse/base';
import {
  deletionOr,
  integrate,
  MergeTooLargeError,
  RepoGoneError,
  type GitEngine,
  type ObjectId,
  type RequestWork,
} from '@packhouse/git';
import { changeRepo, openForChange } from '../changes/change-repo.ts';
import { openRelative } from '../lookup/open-relative.ts';
import type { Context } from '../internal/context.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import type { RepoIdentity, RepoPath } from '../lookup/open-repo.ts';
import type { RefChange } from '../refs/update-refs.ts';
import { mergeFailure } from './merge-failure.ts';
import { readCherryPick, readMerge, readRevert, type MergeRequest } from './read-merge.ts';

/** The result of a merge, cherry-pick or revert (REPO-281), members in order. */
export interface Merge {
  /** The commit that was made; null without one. */
  readonly commit: ObjectId | null;
  /** The tree of the branch. */
  readonly tree: ObjectId;
  /** The commit that was merged, picked or reverted. */
  readonly from: ObjectId;
  /** The move of the branch, with the same values if it did not move. */
  readonly ref: RefChange;
}

/** Merges commits into branches. Every method throws {@link HostingError} for errors that the client gets. */
export interface Merges {
  /** Merges a branch into another one, also from a fork or the parent (REPO-280 to REPO-283). */
  merge(repo: RepoPath | RepoIdentity, body: RawFields, work?: RequestWork): Promise<Merge>;
  /** Applies the change of a commit to a branch (REPO-284). */
  cherryPick(repo: RepoPath | RepoIdentity, body: RawFields, work?: RequestWork): Promise<Merge>;
  /** Undoes the change of a commit on a branch (REPO-285). */
  revert(repo: RepoPath | RepoIdentity, body: RawFields, work?: RequestWork): Promise<Merge>;
}

/** A missing repo of the body must not look like that of the path. */
function pointed(member: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HostingError) || error.kind !== 'repoNotFound') throw error;
    throw new HostingError(error.kind, { items: [{ ...error.items[0], pointer: `/${member}/repo` }] });
  };
}

function explain(error: unknown): never {
  throw error instanceof MergeTooLargeError ? new HostingError('memoryLimit', { text: error.message }) : error;
}

export function createMerges(context: Context, known: KnownRepos, engine: GitEngine): Merges {
  const { clock, remotes } = context;
  const merging =
    (read: (body: RawFields, now: number) => MergeRequest): Merges['merge'] =>
    async (place, body, work = engine.scheduler.begin({ tenant: place.account })) => {
      const { wanted, relative, member } = read(body, Math.floor(clock.now() / 1000));
      const repo = await openForChange(context, known, place);
      const { account, record } = repo;
      const other =
        relative === undefined
          ? undefined
          : await openRelative(context, known, place, relative, record).catch(pointed(member));
      const source = other && {
        repository: other.repo,
        snapshot: other.snapshot,
        // A family is in one namespace.
        remote: remotes.fill({ account, namespace: record.namespace, repo: other.snapshot.name }),
      };
      const { commit, tree, from, ref } = await changeRepo(context, repo, work, async (rules) => {
        const result = await integrate(engine, repo.repo, repo.snapshot, wanted, rules, source).catch(
          async (error: unknown) => {
            // The other repo may have been deleted meanwhile, which looks like a fault of this one.
            const isGone = source && (await deletionOr(undefined, source.repository)) instanceof RepoGoneError;
            return isGone === true ? pointed(member)(new HostingError('repoNotFound')) : explain(error);
          },
        );
        if (result.kind === 'refused') throw mergeFailure(result.refusal, member);
        return result;
      });
      return { commit, tree, from, ref: { name: ref.name, old: ref.old, new: ref.new } };
    };
  return { merge: merging(readMerge), cherryPick: merging(readCherryPick), revert: merging(readRevert) };
}
