import type { ObjectId } from '../object/object-id.ts';
import type { RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import type { RequestWork } from '../work/scheduler.ts';
import { cost } from '../work/costs.ts';
import { RepositoryView } from './repository-view.ts';
import { reserveFor, viewMemory } from '../engine/request-memory.ts';
import { Visibility } from './visibility.ts';

/**
 * The part of a repository's boundary that visible refs reach (GIT-075, GIT-129). Costs nothing if there is no
 * boundary.
 *
 * @throws {NotEnoughMemoryError} if there is not enough memory for the search.
 */
export async function visibleBoundary(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  hiddenRefs: readonly string[],
  work: RequestWork,
): Promise<readonly ObjectId[]> {
  if (snapshot.shallow.length === 0) return [];
  const lease = engine.leases.take(snapshot.packs);
  try {
    const memory = await reserveFor(engine, snapshot, viewMemory(engine, snapshot), work);
    try {
      const view = await RepositoryView.open(engine, repository, snapshot, work);
      const visible = await new Visibility(view, hiddenRefs).visibleNodes();
      const boundary: ObjectId[] = [];
      for (const oid of snapshot.shallow) {
        if (work.spend(cost.steps)) await work.yield();
        if (visible[view.set.findNodeById(oid)] === 1) boundary.push(oid);
      }
      return boundary;
    } finally {
      memory.release();
    }
  } finally {
    lease.release();
  }
}
