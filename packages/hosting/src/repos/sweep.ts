import type { Context } from '../internal/context.ts';
import { detachRepo, eraseDeleted } from './erase.ts';

/** Milliseconds. A creation takes far less; together with a sweep every 30 s a dead one is gone within a minute. */
const unfinishedGrace = 30_000;

/**
 * Undoes creations that stopped half-way and erases what was deleted. Idempotent, and safe while others work. Never
 * rejects: what fails is reported, keeps nothing else waiting, and is tried again by the next sweep.
 *
 * @param options.grace milliseconds after which a repo that is not ready counts as abandoned. Pass 0 at the start of
 *   a process that is the only one.
 */
export async function sweep(
  context: Context,
  account: string,
  { grace = unfinishedGrace }: { readonly grace?: number } = {},
): Promise<void> {
  const { catalog, clock, report } = context;
  const now = clock.now();
  const undo = async (id: string): Promise<void> => {
    const dropped = await catalog(account).dropRepo(id, now);
    if (dropped !== undefined) await detachRepo(context, account, dropped);
  };
  try {
    for (const { id } of await catalog(account).unfinished(now - grace + 1)) await undo(id).catch(report);
  } catch (error) {
    report(error);
  }
  await eraseDeleted(context, account).catch(report);
}
