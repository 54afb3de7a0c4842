/**
 * Waits until unreachable objects are collected, seen from outside: while a repo holds an object, it is common
 * (GIT-064).
 */

import { NotDone } from '../core/outcome.ts';
import type { MadeObject } from '../tools/made-objects.ts';
import { commandBody, linesOf, post, type Remote } from '../tools/wire-client.ts';

/** Milliseconds to wait for a collection, far more than it should take. */
export const patience: number = 100_000;

/** Returns true if the repo still holds a commit. `want` is any object that can be fetched. */
async function isHeld(repo: Remote, want: Pick<MadeObject, 'oid'>, { oid }: MadeObject): Promise<boolean> {
  const words = [`want ${want.oid}`, `have ${oid}`, 'no-progress'];
  const lines = linesOf((await post(repo, commandBody('fetch', words))).body);
  return lines.includes(`ACK ${oid}`);
}

/**
 * Waits until none of the commits is held.
 *
 * @throws if one of them is still held after `patience`.
 */
export async function untilCollected(
  repo: Remote,
  want: Pick<MadeObject, 'oid'>,
  commits: readonly MadeObject[],
): Promise<void> {
  const end = Date.now() + patience;
  for (const node of commits) {
    while (await isHeld(repo, want, node)) {
      if (Date.now() > end) throw new NotDone(`${node.oid} was not collected within ${patience / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
