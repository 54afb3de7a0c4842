import type { Context } from '../internal/context.ts';
import { detachRepo, eraseDeleted } from './erase.ts';

/** Milliseconds. A creation takes far less; together with a sweep every 30 s a dead one is gone within a minute. */
const unfinishedGrace = 30_000;

/**
 * Undoes creations that stopped half-way and erases what was deleted. Idempotent, and safe while others work.
 *
 * @param options.grace milliseconds after which a repo that is not ready counts as abandoned. Pass 0 at the start of
 *   a process that is the only one.
 */
export async function sweep(
  context: Context,
  account: string,
  { grace = unfinishedGrace }: { readonly grace?: number } = {},
): Promise<void> {
  const { catalog, clock } = context;
  const now = clock.now();
  for (const { id } of await catalog(account).unfinished(now - grace + 1)) {
    const dropped = await catalog(account).dropRepo(id, now);
    if (dropped !== undefined) await detachRepo(context, account, dropped);
  }
  await eraseDeleted(context, account);
}
