/** Reports that cases expect of a push. */

import { same } from './same.ts';
import { push, type Command, type Remote } from './wire-client.ts';

/** The branch that most cases push to. */
export const main = 'refs/heads/main';

/** Returns the report of a push in which every command succeeded. */
export function taken(...refs: readonly (string | Uint8Array)[]): string[] {
  return ['unpack ok', ...refs.map((ref) => `ok ${ref.toString()}`)];
}

/** Returns the report of a push whose only command was refused. */
export function refused(ref: string, reason: string): string[] {
  return ['unpack ok', `ng ${ref} ${reason}`];
}

/** Expects this report. */
export async function expectReport(
  repo: Remote,
  commands: readonly Command[],
  bytes: Uint8Array,
  expected: readonly string[],
  what: string,
  capabilities?: string,
): Promise<void> {
  same(await push(repo, commands, bytes, capabilities), expected, what);
}
