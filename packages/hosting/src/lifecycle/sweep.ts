import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { detachRepo, eraseDeleted } from './erase.ts';
import { isFinished, publishFinished } from './publish-finished.ts';
import { settleUpdate } from './settle-update.ts';

/** Milliseconds. A creation takes far less; together with a sweep every 30 s a dead one is gone within a minute. */
const unfinishedGrace = 30_000;

/**
 * Undoes creations that stopped half-way, publishes repos that lack only that, settles updates, and erases deleted
 * repos. Idempotent, and safe beside other work. Never rejects: it reports a failure, goes on, and the next sweep retries.
 *
 * @param options.grace Milliseconds after which a repo that is not ready counts as abandoned. Pass 0 at the start of the
 *   only process: then all of them are abandoned, even if the clock was set back.
 * @param options.isAlive Tests if work on a repo runs in this process. Such a repo is never abandoned.
 */
export async function sweep(
  context: Context,
  account: string,
  {
    grace = unfinishedGrace,
    isAlive = () => false,
  }: { readonly grace?: number | undefined; readonly isAlive?: (id: string) => boolean } = {},
): Promise<void> {
  const { catalog, clock, report } = context;
  const now = clock.now();
  const before = grace === 0 ? Number.MAX_SAFE_INTEGER : now - grace + 1;
  const settle = async (repo: RepoRecord): Promise<void> => {
    if (isAlive(repo.id)) return;
    if (await isFinished(context, account, repo)) return publishFinished(context, account, repo);
    const dropped = await catalog(account).dropRepo(repo.id, now);
    if (dropped !== undefined) await detachRepo(context, account, dropped);
  };
  try {
    for (const repo of await catalog(account).unfinished(before)) await settle(repo).catch(report);
    for (const repo of await catalog(account).unsettled()) await settleUpdate(context, account, repo).catch(report);
  } catch (error) {
    report(error);
  }
  await eraseDeleted(context, account).catch(report);
}
