import {
  commitFiles,
  readChangedPaths,
  NewBlobs,
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
import { bodyTooLarge, fieldError, type FieldError, type RawFields } from '@packhouse/base';
import {
  changeError,
  changeRepo,
  openForChange,
  openReady,
  requireWritable,
  type ChangingRepo,
} from '../changes/change-repo.ts';
import { failed, failure, type Failure } from '../changes/failure.ts';
import type { Context } from '../internal/context.ts';
import { memoryError } from '../limits/capacity-error.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import type { RepoIdentity, RepoPath } from '../lookup/open-repo.ts';
import type { RefChange } from '../refs/update-refs.ts';
import { JsonBody } from './commit-parts.ts';
import {
  BodyDigest,
  commitOfResult,
  hashOfKey,
  isIdempotencyKey,
  keyedCommit,
  type RequestKey,
} from './idempotency.ts';
import { receiveCommit, type ReceivedCommit } from './receive-commit.ts';
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
  create(repo: RepoPath | RepoIdentity, body: RawFields | JsonBody, call?: CommitCall): Promise<NewCommit>;

  /**
   * Stores a blob for later commits (REPO-257, REPO-258). Always ends or cancels the stream.
   *
   * @throws {HostingError} for errors that the client gets.
   */
  writeBlob(repo: RepoPath | RepoIdentity, body: UploadBody, work?: RequestWork): Promise<NewBlob>;
}

export function createCommits(context: Context, known: KnownRepos, engine: GitEngine): Commits {
  return {
    async create(place, body, { work = engine.scheduler.begin({ tenant: place.account }), key } = {}) {
      const faults: FieldError[] = [];
      const isWrongKey = key !== undefined && !isIdempotencyKey(key);
      if (isWrongKey) faults.push(fieldError('invalidInput', 'idempotency_key', keyText));
      const opening = await openReady(context, known, place).catch((error: unknown) => ({ error }));
      const isOpen = !('error' in opening);
      const stores = isOpen && !opening.record.readOnly;
      const applicant = { tenant: place.account, signal: work.signal };
      const expected = body instanceof JsonBody ? (body.size ?? 0) : 0;
      const packs = stores ? opening.repo.packs : undefined;
      const blobs = await NewBlobs.open(engine, packs, expected, applicant, work).catch((error: unknown) => {
        throw memoryError(error) ?? error;
      });
      try {
        const digest = isIdempotencyKey(key) ? new BodyDigest(engine.codec) : undefined;
        const now = Math.floor(context.clock.now() / 1000);
        const { blob_max: blobMax } = context.settings;
        const receiving = receiveCommit(body, faults, { blobs, stores, digest, blobMax, now });
        const received = await receiving.catch(async (error: unknown) => {
          throw isOpen ? await changeError(error, opening.repo) : (memoryError(error) ?? error);
        });
        if (!isOpen) throw opening.error;
        const keyed = digest && { key: hashOfKey(engine.codec, String(key)), digest: digest.digest() };
        return await commit(opening, received, blobs, work, keyed);
      } finally {
        await blobs.discard();
      }
    },

    async writeBlob(place, body, work = engine.scheduler.begin({ tenant: place.account })) {
      const { blob_max: max } = context.settings;
      const bytes = boundedBytes(body, max);
      try {
        if (body.size !== undefined && body.size > max) throw bodyTooLarge(max);
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

  /** Makes a commit whose body was read, or finds that of an earlier request with the key. */
  async function commit(
    repo: ChangingRepo,
    { wanted: members, tooLarge }: ReceivedCommit,
    blobs: NewBlobs,
    work: RequestWork,
    key: RequestKey | undefined,
  ): Promise<NewCommit> {
    const { state } = repo.repo;
    const wanted = key === undefined ? members : { ...members, keyed: (made: MadeCommit) => keyedCommit(key, made) };
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
    requireWritable(repo);
    if (tooLarge !== undefined) {
      throw failed([failure('refRefused', { reason: 'file too large', pointer: `/changes/${tooLarge}/content` })]);
    }
    try {
      const result = await changeRepo(context, repo, work, async (rules) => {
        let outcome = await commitFiles(engine, repo.repo, repo.snapshot, wanted, rules, blobs);
        // The repository may have changed while the body arrived.
        const now = outcome.kind === 'refused' ? await state.snapshot() : undefined;
        if (now !== undefined && now.version !== repo.snapshot.version) {
          outcome = await commitFiles(engine, repo.repo, now, wanted, rules, blobs);
        }
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
  }
}

const keyText = 'Invalid idempotency key: expected 1 to 255 visible ASCII characters';

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
