import { HostingError } from '@packhouse/base';
import { birthEvents, type Birth } from '../events/birth-events.ts';
import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { HostedRepo, TokenRecord } from '../ports/repo-storage.ts';
import { releaseBirth } from './release-birth.ts';

/** Content of a repo that is about to be ready. */
export interface RepoFilling {
  readonly defaultBranch: string;
  /** Version of the state after the commit of the content; undefined if there was no content. */
  readonly version: number | undefined;
  /** Its event, and the token that was created with it. */
  readonly birth: Birth;
  readonly firstToken: TokenRecord;
}

/**
 * Makes a repo ready that an import or a fork has filled: its own state first, then the catalog.
 *
 * @throws {HostingError} `repoNotFound` if it was deleted meanwhile.
 */
export async function finishRepo(
  context: Context,
  account: string,
  repo: RepoRecord,
  { state }: HostedRepo,
  { defaultBranch, version, birth, firstToken }: RepoFilling,
): Promise<RepoRecord> {
  const at = context.clock.now();
  const ready: RepoRecord = { ...repo, status: 'ready', defaultBranch, updatedAt: at };
  await state.setStatus('ready', defaultBranch, birthEvents(context, account, ready, firstToken, birth));
  const bytes = version === undefined ? 0 : await state.storedBytes();
  const found = { defaultBranch, at, bytes, version: version ?? 1 };
  if (!(await context.catalog(account).publishRepo(repo.id, found))) throw new HostingError('repoNotFound');
  await releaseBirth(context, account, ready);
  return ready;
}
