import {
  boundaryOf,
  nothingSelected,
  type Boundary,
  type BoundaryRequest,
  type DepthLimit,
} from './plan/history-bounds.ts';
import type { GraphSet } from '../graph/graph-set.ts';
import { commitKind } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { typedValues } from '../stored-refs/typed-names.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { Visibility } from '../repository/visibility.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { DepthRequest, PackRequest } from '../wire/fetch/pack-request.ts';
import { packetText } from '../wire/pkt-line.ts';
import { ReplyText } from '../wire/reply-text.ts';
import { RequestRefusedError } from '../wire/request-error.ts';

/** GIT-072: the depth that means full history. */
const everything = 0x7fff_ffff;

/** The commits among the client's `shallow` lines; what is unknown or no commit says nothing (GIT-076). */
export function clientShallowNodes(
  { set, work }: RepositoryView,
  { shallow }: PackRequest,
): Promise<readonly number[]> {
  return commitNodes(set, shallow, work);
}

/**
 * Computes the boundary of a request from the nodes of its wants.
 *
 * @throws {RequestRefusedError} for an empty selection (GIT-073).
 */
export async function requestBoundary(
  view: RepositoryView,
  visibility: Visibility,
  depth: DepthRequest | undefined,
  nodes: Pick<BoundaryRequest, 'wants' | 'clientShallow'>,
): Promise<Boundary> {
  const { set, snapshot, work } = view;
  const limit = depth === undefined ? undefined : await depthLimit(view, visibility, depth, nodes.clientShallow);
  const ownShallow = await commitNodes(set, snapshot.shallow, work);
  const boundary = await boundaryOf(set, { ...nodes, ownShallow, limit }, work);
  if (boundary === nothingSelected) throw noCommits();
  return boundary;
}

/** Entries that writing a line of a boundary counts for. */
const entriesALine = 100;

/** The lines of a boundary as packets: a short request may ask for a million of them. Call `loadIndexes` first. */
export async function boundaryLines(view: RepositoryView, { shallow, bounds }: Boundary): Promise<Uint8Array> {
  const { set, work } = view;
  const lines = new ReplyText();
  for (const [word, nodes] of [['shallow', shallow] as const, ['unshallow', bounds.unshallowed] as const]) {
    for (const node of nodes) {
      if (work.spend(cost.entries, entriesALine)) await work.yield();
      // Git ends these packets without LF, and libgit2 rejects any other form.
      lines.add(packetText(`${word} ${view.objectId(set.nodeObjects[node] as number)}`));
    }
  }
  return lines.toBytes();
}

async function depthLimit(
  { set }: RepositoryView,
  visibility: Visibility,
  depth: DepthRequest,
  clientShallow: readonly number[],
): Promise<DepthLimit> {
  const { deepen: commits, relative } = depth;
  if (commits === everything) {
    const visible = clientShallow.length === 0 ? undefined : await visibility.visibleNodes();
    return { kind: 'everything', completes: clientShallow.filter((node) => visible?.[node] === 1) };
  }
  if (commits !== undefined) return { kind: 'count', commits, relative };
  const excluded: number[] = [];
  for await (const oid of typedValues(visibility.refs, depth.not)) {
    if (oid === undefined) throw noCommits();
    excluded.push(set.findNodeById(oid));
  }
  return { kind: 'selection', since: depth.since ?? 0, excluded };
}

async function commitNodes(set: GraphSet, oids: Iterable<ObjectId>, work: Work): Promise<readonly number[]> {
  const nodes = new Set<number>();
  for (const oid of oids) {
    if (work.spend(cost.steps)) await work.yield();
    const node = set.findNodeById(oid);
    if (node >= 0 && set.nodeKind(node) === commitKind) nodes.add(node);
  }
  return [...nodes];
}

function noCommits(): RequestRefusedError {
  return new RequestRefusedError('no commits selected for shallow requests');
}
