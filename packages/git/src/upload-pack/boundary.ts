import {
  boundaryOf,
  nothingSelected,
  type Boundary,
  type BoundaryRequest,
  type DepthLimit,
} from '../graph/history-bounds.ts';
import type { GraphSet } from '../graph/graph-set.ts';
import { commitKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { TypedNames } from '../refs/typed-names.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { createTurns, type Turns } from '../turns.ts';
import type { DepthRequest, PackRequest } from '../wire/pack-request.ts';
import { packetText } from '../wire/pkt-line.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/** GIT-072: the depth that means full history. */
const everything = 0x7fff_ffff;

/** The commits among the client's `shallow` lines; what is unknown or no commit says nothing (GIT-076). */
export function clientShallowNodes(set: GraphSet, { shallow }: PackRequest): Promise<readonly number[]> {
  return commitNodes(set, shallow, createTurns());
}

/**
 * Where history is cut off for a request, over the nodes of its wants.
 *
 * @throws {RequestRefusedError} where a selection leaves nothing (GIT-073).
 */
export async function requestBoundary(
  view: RepositoryView,
  visibility: Visibility,
  depth: DepthRequest | undefined,
  nodes: Pick<BoundaryRequest, 'wants' | 'clientShallow'>,
): Promise<Boundary> {
  const { set, snapshot } = view;
  const limit = depth === undefined ? undefined : depthLimit(view, visibility, depth);
  const turns = createTurns();
  const ownShallow = await commitNodes(set, snapshot.shallow, turns);
  const boundary = await boundaryOf(set, { ...nodes, ownShallow, limit }, turns);
  if (boundary === nothingSelected) throw noCommits();
  return boundary;
}

/** The lines that tell a boundary, as packets in a text. After `loadIndexes`. */
export function boundaryLines(view: RepositoryView, { shallow, bounds }: Boundary): string {
  const line = (word: string, node: number): string =>
    packetText(`${word} ${view.objectId(view.set.nodeObjects[node] as number)}\n`);
  return (
    shallow.map((node) => line('shallow', node)).join('') +
    bounds.unshallowed.map((node) => line('unshallow', node)).join('')
  );
}

function depthLimit(view: RepositoryView, visibility: Visibility, depth: DepthRequest): DepthLimit {
  const { deepen: commits, relative } = depth;
  if (commits === everything) return { kind: 'everything' };
  if (commits !== undefined) return { kind: 'count', commits, relative };
  const names = new TypedNames(visibility.refs, view.snapshot.defaultBranch);
  const excluded = depth.not.map((name) => {
    const oid = names.valueOf(name);
    if (oid === undefined) throw noCommits();
    return view.set.findNodeById(oid);
  });
  return { kind: 'selection', since: depth.since ?? 0, excluded };
}

async function commitNodes(set: GraphSet, oids: Iterable<ObjectId>, turns: Turns): Promise<readonly number[]> {
  const nodes = new Set<number>();
  for (const oid of oids) {
    if (turns.due()) await turns.pass();
    const node = set.findNodeById(oid);
    if (node >= 0 && set.nodeKind(node) === commitKind) nodes.add(node);
  }
  return [...nodes];
}

function noCommits(): RequestRefusedError {
  return new RequestRefusedError('no commits selected for shallow requests');
}
