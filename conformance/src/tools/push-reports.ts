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

/**
 * Compares a report with the expected one. Git's documents leave reasons and the order of lines open, so of another Git
 * server only the results of the commands count. If all are refused, it may have unpacked before it did so. One that looks
 * for missing objects while it unpacks (receive.fsckObjects of stock Git) refuses all commands for one of them.
 */
export function sameReport(
  repo: Pick<Remote, 'foreign'>,
  actual: readonly string[],
  expected: readonly string[],
  what: string,
): void {
  if (repo.foreign === true && lacksObjects(expected) && refusesAll(actual, expected)) return;
  if (repo.foreign === true) same(resultsOf(actual), resultsOf(expected), what);
  else same(actual, expected, what);
}

function lacksObjects(report: readonly string[]): boolean {
  return report.some((line) => line.startsWith('ng ') && line.endsWith(' missing necessary objects'));
}

/** Returns true for a report whose pack was not unpacked, with a refusal for each expected line. */
function refusesAll([unpack = '', ...results]: readonly string[], expected: readonly string[]): boolean {
  const refs = (lines: readonly string[]): string[] => lines.map((line) => line.split(' ')[1] ?? '').sort();
  const isRefused = unpack !== 'unpack ok' && results.every((line) => line.startsWith('ng '));
  return isRefused && refs(results).join() === refs(expected.slice(1)).join();
}

function resultsOf([unpack = '', ...lines]: readonly string[]): string[] {
  const results = lines.map((line) => (line.startsWith('ng ') ? line.split(' ', 2).join(' ') : line)).sort();
  return results.some((line) => line.startsWith('ok ')) ? [unpack, ...results] : results;
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
  sameReport(repo, await push(repo, commands, bytes, capabilities), expected, what);
}
