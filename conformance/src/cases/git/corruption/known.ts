/** A repo of one commit, and the report of an incomplete ref value. */

import type { Context, TestRepo } from '../../../core/context.ts';
import { change } from '../../../tools/made-objects.ts';
import { main, refused } from '../../../tools/push-reports.ts';
import { repoWith } from '../../../steps/repo-with.ts';

export const known: ReturnType<typeof change> = change('known');

export function repoWithKnown(t: Context): Promise<TestRepo> {
  return repoWith(t, { [main]: known }, known.all);
}

/** Returns the report of a push whose only command has an incomplete value. */
export function incomplete(ref: string): string[] {
  return refused(ref, 'missing necessary objects');
}
