import {
  deletionOr,
  PackError,
  RepoGoneError,
  type ChangeRules,
  type PushOutcome,
  type RequestWork,
} from '@packhouse/git';
import { HostingError, repoErrors } from '@packhouse/base';
import { pushedEvents } from '../events/pushed-events.ts';
import type { Context } from '../internal/context.ts';
import { memoryError } from '../limits/capacity-error.ts';
import { pushLimits } from '../limits/push-limits.ts';
import { storageRoom } from '../limits/storage-room.ts';
import { requireReady } from '../lookup/find-repo.ts';
import type { KnownRepos } from '../lookup/known-repos.ts';
import { openById, type OpenRepo, type RepoIdentity, type RepoPath } from '../lookup/open-repo.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { recordPush } from './record-push.ts';

/** A repo that a program changes without Git, with the state that the change begins with. */
export interface ChangingRepo extends OpenRepo {
  readonly account: string;
  readonly record: RepoRecord;
  /** True if `pushed` events are recorded. */
  readonly isHeard: boolean;
}

/**
 * Opens a repo for a change, by its name or its id.
 *
 * @throws {HostingError} `repoNotFound`, `readOnlyRepo`, or the error of a repo that is not ready (REPO-089).
 */
export async function openForChange(
  context: Context,
  known: KnownRepos,
  place: RepoPath | RepoIdentity,
): Promise<ChangingRepo> {
  const repo = await openReady(context, known, place);
  requireWritable(repo);
  return repo;
}

/** @throws {HostingError} `readOnlyRepo`. */
export function requireWritable({ record }: ChangingRepo): void {
  if (record.readOnly) throw new HostingError('readOnlyRepo');
}

/**
 * Opens a repo that may be read-only.
 *
 * @throws {HostingError} `repoNotFound`, or the error of a repo that is not ready (REPO-089).
 */
export async function openReady(
  context: Context,
  known: KnownRepos,
  place: RepoPath | RepoIdentity,
): Promise<ChangingRepo> {
  const { account } = place;
  const catalog = context.catalog(account);
  const record = await ('id' in place ? catalog.repoById(place.id) : catalog.repo(place.namespace, place.repo));
  const isReached = 'id' in place || place.within?.includes(record?.id ?? '') !== false;
  if (record === undefined || !isReached) throw new HostingError('repoNotFound');
  requireReady(record.status);
  const { id, jurisdiction } = record;
  const hears = async (): Promise<boolean> => {
    if (context.events !== undefined) return true;
    const wanted = await context.storage.repo(account, id, jurisdiction).state.wantedEvents();
    return wanted.includes('pushed');
  };
  const [opened, isHeard] = await Promise.all([
    openById(context, known, { account, id, jurisdiction }),
    hears().catch(async (error: unknown) => {
      // The other call says that the repo was deleted.
      if (error instanceof RepoGoneError) return false;
      throw error;
    }),
  ]);
  return { account, record, isHeard, ...opened };
}

/** A result of the engine with the push that it made; undefined if nothing changed. */
interface Changed {
  readonly outcome?: PushOutcome | undefined;
}

/**
 * Changes a repo as a push with the same content would: with its rules, limits, events and durability. `change` gets the
 * rules for the engine.
 *
 * @throws {HostingError} for errors that the client gets.
 */
export async function changeRepo<Result extends Changed>(
  context: Context,
  { account, record, repo, isHeard }: ChangingRepo,
  work: RequestWork,
  change: (rules: ChangeRules) => Promise<Result>,
): Promise<Result> {
  const { settings, ids, clock } = context;
  const { namespace, name } = record;
  const rules: ChangeRules = {
    tenant: account,
    signal: work.signal,
    hiddenRefs: settings.hidden_refs,
    denyDeleteDefault: settings.deny_delete_default,
    denyNonFastForward: settings.deny_non_fast_forward,
    strictObjects: settings.strict_objects,
    ...pushLimits(settings),
    accountStorageLeft: () => storageRoom(context, account),
    pushId: () => ids.secret(),
    now: () => clock.now(),
    describe: isHeard ? (updates) => pushedEvents(context, { account, namespace, name }, updates) : undefined,
  };
  try {
    const result = await change(rules);
    if (result.outcome !== undefined) {
      await recordPush(context, { account, id: record.id }, repo, result.outcome).catch(context.report);
    }
    return result;
  } catch (error) {
    throw await changeError(error, repo);
  }
}

/** Returns the error that a client gets when a change fails in the engine, or an unexpected one as it is. */
export async function changeError(error: unknown, repo: OpenRepo['repo']): Promise<unknown> {
  if (error instanceof HostingError) return error;
  if (error instanceof PackError) {
    return new HostingError('refRefused', { text: `${repoErrors.refRefused.message}: ${error.commandReason}` });
  }
  if ((await deletionOr(error, repo)) instanceof RepoGoneError) return new HostingError('repoNotFound');
  return memoryError(error) ?? error;
}
