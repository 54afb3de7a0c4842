import { TagEnds } from '../graph/peel.ts';
import { reachedGoals } from '../graph/reach.ts';
import type { CommonHistory } from '../negotiation/acknowledgments.ts';
import type { ObjectId } from '../object/object-id.ts';
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
    isCommon(oid: ObjectId): boolean {
      const node = set.findNodeById(oid);
      return node >= 0 && visibility.mayLeanOn(node);
    },
    isReady(common: readonly ObjectId[]): boolean {
      const ends = new TagEnds(set);
      const commits = wants.filter((want) => ends.isCommit(want));
      const goals = common.map((oid) => set.findNodeById(oid));
      return reachedGoals(set, commits, [goals], { cuts: clientShallow }).every((reached) => reached === 1);
    },
  };
}
