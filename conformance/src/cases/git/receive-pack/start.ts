/** The common start of the cases of receive-pack. */

import assert from 'node:assert/strict';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { post, pushBody, type Command, type Remote } from '../../../tools/wire-client.ts';

/** The commit of `main`. */
export const first: ReturnType<typeof change> = change('first');

export function repoWithFirst(t: Context): Promise<TestRepo> {
  return repoWith(t, { 'refs/heads/main': first }, first.all);
}

/** Sends a body to receive-pack. Returns the raw reply. */
export async function send(repo: Remote, body: Uint8Array): Promise<{ status: number; body: Buffer }> {
  const { status, body: reply } = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  return { status, body: reply };
}

/** Pushes with exactly these capabilities. Returns the raw reply. */
export async function sendPush(
  repo: Remote,
  commands: readonly Command[],
  capabilities: string,
  bytes: Uint8Array = pack(),
): Promise<Buffer> {
  const { status, body } = await send(repo, pushBody(commands, bytes, capabilities));
  assert.equal(status, 200, 'A push that can be read is answered 200.');
  return body;
}
