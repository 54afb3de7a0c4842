import {
  deletionOr,
  importRemote,
  RemoteError,
  RepoGoneError,
  type GitEngine,
  type ImportOutcome,
} from '@packhouse/git';
import { memoryError } from '../limits/capacity-error.ts';
import { HostingError } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { pushLimits } from '../limits/push-limits.ts';
import { storageRoom } from '../limits/storage-room.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { Outbound } from '../ports/outbound.ts';
import type { HostedRepo } from '../ports/repo-storage.ts';
import { finishRepo } from '../lifecycle/finish-repo.ts';
import { version } from '../outbound/version.ts';
import { followed } from './follow.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { importError, ImportFailure, isTold } from './import-error.ts';
import type { ImportJob } from './import-job.ts';
import { cloneUrl } from './import-request.ts';

/** Parameters of an import in progress. */
export interface ImportWork extends Omit<ImportJob, 'url'> {
  readonly url: URL;
  readonly outbound: Outbound;
  /** Deadline, in the time of `performance.now` (LIM-014). */
  readonly end: number;
  readonly signal: AbortSignal;
}

/** Milliseconds that the remote may send nothing before the import fails (REPO-128). */
const idleMax = 60_000;

/**
 * Fetches the remote into the repo, and makes the repo ready. The caller undoes the repo after any error.
 *
 * @throws {HostingError} for errors that the client gets.
 */
export async function fillRepo(context: Context, engine: GitEngine, work: ImportWork): Promise<RepoRecord> {
  const { account, repo, firstToken, url } = work;
  const hosted = context.storage.repo(account, repo.id, repo.jurisdiction);
  try {
    const { plan, push } = await fetched(context, engine, hosted, work);
    const birth = { kind: 'imported', sourceUrl: cloneUrl(url), branch: work.branch } as const;
    const filling = { defaultBranch: plan.defaultBranch, version: push?.version, birth, firstToken };
    return await finishRepo(context, account, repo, hosted, filling);
  } catch (error) {
    if ((await deletionOr(error, hosted)) instanceof RepoGoneError) throw new HostingError('repoNotFound');
    if (!(error instanceof RemoteError)) throw memoryError(error) ?? error;
    if (!isTold(error)) context.report(new ImportFailure(repo, error));
    throw importError(error, cloneUrl(url));
  }
}

async function fetched(
  context: Context,
  engine: GitEngine,
  hosted: HostedRepo,
  { account, url: given, branch, depth, outbound, end, signal }: ImportWork,
): Promise<ImportOutcome> {
  const { settings, dialect, ids, clock } = context;
  const fetch = guardedFetch(outbound, settings.import_allow);
  const snapshot = await hosted.state.snapshot();
  if (snapshot === undefined) throw new Error('The state of the repo answered no snapshot');
  return followed(given, (url) =>
    importRemote(engine, hosted, snapshot, {
      fetch,
      url,
      branch,
      depth,
      agent: dialect.agent.replace('{version}', version),
      time: { idle: idleMax, total: Math.max(0, end - performance.now()) },
      signal,
      tenant: account,
      hiddenRefs: settings.hidden_refs,
      // GIT-146: off, so that old public history comes in.
      strictObjects: false,
      ...pushLimits(settings),
      accountStorageLeft: () => storageRoom(context, account),
      pushId: ids.secret(),
      now: () => clock.now(),
    }),
  );
}
