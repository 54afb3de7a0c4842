import type { Context } from '../internal/context.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import { detachRepo, eraseDeleted } from './erase.ts';
import { isFinished, publishFinished } from './publish-finished.ts';

/** Milliseconds. A creation takes far less; together with a sweep every 30 s a dead one is gone within a minute. */
const unfinishedGrace = 30_000;

/**
 * Undoes creations that stopped half-way, or publishes what lacked only that, and erases what was deleted. Idempotent, and
 * safe while others work. Never rejects: what fails is reported, keeps nothing else waiting, and is tried again by the
 * next sweep.
 *
 * @param options.grace milliseconds after which a repo that is not ready counts as abandoned. Pass 0 at the start of
 *   a process that is the only one: then each of them is, whatever the clock says by now.
 * @param options.isAlive whether work on a repo goes on here. It is not abandoned, however late its signs of life come.
 */
export async function sweep(
  context: Context,
  account: string,
  {
    grace = unfinishedGrace,
    isAlive = () => false,
  }: { readonly grace?: number; readonly isAlive?: (id: string) => boolean } = {},
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
  } catch (error) {
    report(error);
  }
  await eraseDeleted(context, account).catch(report);
}
