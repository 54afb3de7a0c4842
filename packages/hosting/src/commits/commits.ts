import {
  commitFiles,
  readChangedPaths,
  RepeatedChangeError,
  uploadBlob,
  type ChangedPaths,
  type CommitRefusal,
  type GitEngine,
  type MadeCommit,
  type ObjectId,
  type PathFault,
  type RefName,
  type RequestWork,
} from '@packhouse/git';
import { HostingError, type RawFields } from '@packhouse/base';
import { changeRepo, openForChange } from '../changes/change-repo.ts';
import { failed, failure, type Failure } from '../changes/failure.ts';
import type { Context } from '../internal/context.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import type { RepoIdentity, RepoPath } from '../lookup/open-repo.ts';
import type { RefChange } from '../refs/update-refs.ts';
import { commitOfResult, keyedCommit, requestKey } from './idempotency.ts';
import { readCommit } from './read-commit.ts';
import { boundedBytes, type UploadBody } from './upload-body.ts';

/** A new commit (REPO-254), members in order. */
export interface NewCommit {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  /** The move of the branch. */
  readonly ref: RefChange;
  /** The paths of the files that changed, in the order of their bytes. */
  readonly paths: readonly string[];
  /** True if paths are missing (LIM-040). */
  readonly truncated: boolean;
}

export interface CommitCall {
  /** Work that the request is charged to. Default: new one of the account. */
  readonly work?: RequestWork | undefined;
  /** The idempotency key, not yet checked (REPO-259). Default: none. */
  readonly key?: unknown;
}

/** A blob that was uploaded (REPO-257), members in order. */
export interface NewBlob {
  readonly hash: ObjectId;
  readonly size: number;
}

export interface Commits {
  /**
   * Commits changes of files to a branch (REPO-251 to REPO-255).
   *
   * @throws {HostingError} for errors that the client gets.
   */
  create(repo: RepoPath | RepoIdentity, body: RawFields, call?: CommitCall): Promise<NewCommit>;

  /**
   * Stores a blob for later commits (REPO-257, REPO-258). Always ends or cancels the stream.
   *
   * @throws {HostingError} for errors that the client gets.
   */
  writeBlob(repo: RepoPath | RepoIdentity, body: UploadBody, work?: RequestWork): Promise<NewBlob>;
}

export function createCommits(context: Context, known: KnownRepos, engine: GitEngine): Commits {
  return {
    async create(place, body, { work = engine.scheduler.begin({ tenant: place.account }), key: given } = {}) {
      const key = given === undefined ? undefined : requestKey(engine.codec, given, body);
      const read = readCommit(body, Math.floor(context.clock.now() / 1000));
      const wanted = key === undefined ? read : { ...read, keyed: (made: MadeCommit) => keyedCommit(key, made) };
      const repo = await openForChange(context, known, place);
      const { state } = repo.repo;
      /** Shows the commit that an earlier request with the key made; undefined without one. */
      const earlier = async (result?: string): Promise<NewCommit | undefined> => {
        const recorded = result ?? (key && (await state.keyedResult(key.key, context.clock.now())));
        if (key === undefined || recorded === undefined) return undefined;
        const made = commitOfResult(key, recorded);
        const snapshot = (await state.snapshot()) ?? repo.snapshot;
        const trees = { from: made.before ?? undefined, to: made.tree };
        const hiddenRefs = context.settings.hidden_refs;
        const changed = await readChangedPaths(engine, repo.repo, snapshot, trees, { hiddenRefs, work });
        return shown(wanted.branch, made, changed);
      };
      const repeated = await earlier();
      if (repeated !== undefined) return repeated;
      try {
        const result = await changeRepo(context, repo, work, async (rules) => {
          const outcome = await commitFiles(engine, repo.repo, repo.snapshot, wanted, rules);
          return outcome.kind === 'refused' ? { outcome: undefined, refusal: outcome.refusal } : outcome;
        });
        if (!('refusal' in result)) return shown(wanted.branch, result.made, result.changed);
        // Its first attempt may have moved the branch after the look for it.
        const late = await earlier();
        if (late === undefined) throw failed([failureOf(result.refusal)]);
        return late;
      } catch (error) {
        const late = error instanceof RepeatedChangeError ? await earlier(error.result) : undefined;
        if (late === undefined) throw error;
        return late;
      }
    },

    async writeBlob(place, body, work = engine.scheduler.begin({ tenant: place.account })) {
      const { blob_max: max } = context.settings;
      const bytes = boundedBytes(body, max);
      try {
        if (body.size !== undefined && body.size > max) throw new HostingError('bodyTooLarge');
        const repo = await openForChange(context, known, place);
        const { oid, size } = await changeRepo(context, repo, work, (rules) =>
          uploadBlob(engine, repo.repo, repo.snapshot, { bytes: bytes.read(), size: body.size }, rules),
        );
        return { hash: oid, size };
      } finally {
        await bytes.end();
      }
    },
  };
}

function shown(name: RefName, { commit, tree, old }: MadeCommit, { paths, truncated }: ChangedPaths): NewCommit {
  return { commit, tree, ref: { name, old, new: commit }, paths, truncated };
}

const faults: Readonly<Record<PathFault, string>> = {
  missing: 'there is no such file or folder',
  'is a folder': 'a folder is there',
  'is below a file': 'a file is above it',
  exists: 'something is there already',
};

function failureOf(refusal: CommitRefusal): Failure {
  switch (refusal.kind) {
    case 'stale':
      return failure('staleRef', { details: { head: refusal.head } });
    case 'no ref':
      return failure('refNotFound', { pointer: '/branch' });
    case 'no revision':
      return failure('refNotFound', { pointer: '/from' });
    case 'nothing changes':
      return failure('nothingToCommit', { reason: 'nothing to commit' });
    case 'path': {
      const { change, member, fault } = refusal;
      return failure('changeRefused', { reason: faults[fault], pointer: `/changes/${change}/${member}` });
    }
    case 'no blob':
      return failure('blobNotFound', { pointer: `/changes/${refusal.change}/hash` });
    case 'refused':
      return failure('refRefused', { reason: refusal.reason });
  }
}
