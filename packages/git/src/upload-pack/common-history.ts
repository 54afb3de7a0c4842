import { TagEnds } from '../graph/peel.ts';
import { reachedGoals } from '../graph/reach.ts';
import type { CommonHistory } from './acknowledgments.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Leaning } from '../repository/visibility.ts';

/** GIT-064 over the graph. `wants` are nodes, as are the commits of the client's boundary: nothing is reached through them. */
export function commonHistory(
  { set, work }: RepositoryView,
  leaning: Leaning,
  wants: readonly number[],
  clientShallow: readonly number[],
): CommonHistory {
  return {
    commonNode(ids: Uint8Array, at: number): number {
      const node = set.findNode(ids, at);
      return node >= 0 && leaning.mayLeanOn(node) ? node : -1;
    },
    async isReady(common: readonly number[]): Promise<boolean> {
      const ends = new TagEnds(set);
      await ends.find(wants, work);
      const commits = wants.filter((want) => ends.isCommit(want));
      const reached = await reachedGoals(work, set, commits, [common], { cuts: clientShallow });
      return reached.every((goals) => goals === 1);
    },
  };
}
