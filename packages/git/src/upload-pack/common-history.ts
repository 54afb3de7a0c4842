import { TagEnds } from '../graph/peel.ts';
import { reachedGoals } from '../graph/reach.ts';
import type { CommonHistory } from '../negotiation/acknowledgments.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';

/** GIT-064 over the graph. `wants` are nodes, as are the commits of the client's boundary: nothing is reached through them. */
export function commonHistory(
  { set }: RepositoryView,
  visibility: Visibility,
  wants: readonly number[],
  clientShallow: readonly number[],
): CommonHistory {
  return {
    commonNode(ids: Uint8Array, at: number): number {
      const node = set.findNode(ids, at);
      return node >= 0 && visibility.mayLeanOn(node) ? node : -1;
    },
    isReady(common: readonly number[]): boolean {
      const ends = new TagEnds(set);
      const commits = wants.filter((want) => ends.isCommit(want));
      return reachedGoals(set, commits, [common], { cuts: clientShallow }).every((reached) => reached === 1);
    },
  };
}
