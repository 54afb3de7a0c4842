import type { HistoryBounds } from './plan/fetch-plan.ts';
import { boundaryLinesMemory, markingMemory } from '../engine/request-memory.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import type { PackRequest } from '../wire/fetch/pack-request.ts';
import { boundaryLines, clientShallowNodes, requestBoundary } from './boundary.ts';
import type { FetchService } from './fetch-service.ts';

/** The boundary of a request's history, and its lines in the reply. */
export interface RequestHistory {
  /** Commits that the client has without their parents. */
  readonly clientShallow: readonly number[];
  /** Undefined if only the boundaries of client and repository cut history. */
  readonly bounds: HistoryBounds | undefined;
  /** Lines as packets; undefined: the boundary is not spoken of (GIT-072, GIT-094). */
  readonly told: Uint8Array | undefined;
}

const uncut: RequestHistory = { clientShallow: [], bounds: undefined, told: undefined };

/**
 * Computes the boundary of a request's history. `wants` are its nodes. With `tellsOwn`, a shallow client and a client
 * of a shallow repository get the boundary even without a depth (GIT-094).
 *
 * @throws {RequestRefusedError} for an empty selection (GIT-073).
 * @throws {NotEnoughMemoryError} LIM-059.
 */
export async function requestHistory(
  { snapshot, memory }: FetchService,
  view: RepositoryView,
  visibility: Visibility,
  request: PackRequest,
  wants: readonly number[],
  tellsOwn: boolean,
): Promise<RequestHistory> {
  const isTold =
    request.depth !== undefined || (tellsOwn && (snapshot.shallow.length > 0 || request.shallow.length > 0));
  if (!isTold && request.shallow.length === 0) return uncut;
  await memory.planMore(markingMemory(view.set.nodeCount));
  const clientShallow = await clientShallowNodes(view, request);
  if (!isTold) return { ...uncut, clientShallow };
  const boundary = await requestBoundary(view, visibility, request.depth, { wants, clientShallow });
  const { bounds, shallow } = boundary;
  const lines = shallow.length + bounds.unshallowed.length;
  await memory.planMore(boundaryLinesMemory(lines));
  if (lines > 0) await view.loadIndexes();
  return { clientShallow, bounds, told: await boundaryLines(view, boundary) };
}
