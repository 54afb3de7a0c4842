import type { RepoIdentity } from '@packhouse/hosting';
import { given, givenOptions } from './given.ts';
import { fitting, shownCommit, type ContentContext } from './read-content.ts';
import type { Comparison } from './results.ts';
import { shownChanges } from './shown.ts';

/** Names of the arguments of `compare`, by the pointers of the service. */
export const compareArguments: Readonly<Record<string, string>> = Object.fromEntries(
  ['base', 'head'].flatMap((end) =>
    ['', '/namespace', '/repo', '/ref'].map((member) => [`/${end}${member}`, `args.${end}${member.replace('/', '.')}`]),
  ),
);

/** Compares two revisions, each perhaps of a fork or the parent (BIND-108). */
export function compare(context: ContentContext, args: unknown): (repo: RepoIdentity) => Promise<Comparison> {
  const { base, head } = givenOptions(context.failures, args ?? null, 'args');
  const query = { base: given(base), head: given(head) };
  return async (repo) => {
    const { merge_base: mergeBase, commits, ...found } = await context.hosting.content.compare(repo, query);
    const { ahead, behind } = found;
    return fitting(context, { mergeBase, ahead, behind, commits: commits.map(shownCommit), ...shownChanges(found) });
  };
}
