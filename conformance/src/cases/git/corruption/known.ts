/** A repo of one commit, and the report of a value that is not complete. */

import type { Context, TestRepo } from '../../../core/context.ts';
import { change } from '../../../tools/made-objects.ts';
import { main, refused } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';

export const known: ReturnType<typeof change> = change('known');

export function repoWithKnown(t: Context): Promise<TestRepo> {
  return repoWith(t, { [main]: known }, known.all);
}

/** The report of a push whose one command has a value that is not complete. */
export function incomplete(ref: string): string[] {
  return refused(ref, 'missing necessary objects');
}
