import { entriesALookUp } from '../graph/snapshot-walk.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { listReply } from '../reply/list-reply.ts';
import { visibleObjectsMemory } from '../engine/request-memory.ts';
import { Visibility } from '../repository/visibility.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { linesAPiece, writeObjectInfo, type ObjectInfoRequest } from '../wire/fetch/object-info.ts';
import type { FetchService, UploadPackReply } from './fetch-service.ts';

/**
 * Answers `object-info` (GIT-100). The graph has all sizes, so no object is opened. Only objects that visible refs
 * reach have one (GIT-129). Objects of retired tips may be fetched for a while (GIT-061), but are not reported.
 */
export async function objectInfo(service: FetchService, request: ObjectInfoRequest): Promise<UploadPackReply> {
  const { engine, repository, snapshot, options, work, memory, lease } = service;
  await memory.resize(visibleObjectsMemory(engine, snapshot));
  const view = await RepositoryView.open(engine, repository, snapshot, work);
  await view.loadIndexes();
  const introducers = await view.set.loadIntroducers(work);
  const visibleNodes = await new Visibility(view, options.hiddenRefs).visibleNodes();
  /** By object: 1 if it is seen, 2 if not. Who asks for one over and over has it looked for once. */
  const known = new Uint8Array(view.set.objectCount);
  const sizeOf = (ids: Uint8Array, at: number): number | undefined => {
    const object = view.findObject(ids, at);
    if (object < 0) return undefined;
    if (known[object] === 0) known[object] = introducers.hasIntroducer(object, visibleNodes, 1) ? 1 : 2;
    if (known[object] === 2) return undefined;
    const { graph, objectStart } = view.set.packOfObject(object);
    return graph.sizes[object - objectStart];
  };
  const entriesAPiece = linesAPiece * (entriesALookUp(view.set) + entriesALine);
  const body = await listReply(inTurns(writeObjectInfo(request, sizeOf), entriesAPiece, work), {
    failed: options.failed,
    released: () => {
      memory.release();
      lease.release();
    },
  });
  return { body };
}

/** Entries that a line counts for, beside looking for its object. */
const entriesALine = 50;

/** A request may ask for so much that others must have their turn meanwhile. */
async function* inTurns(
  pieces: Iterable<Uint8Array>,
  entriesAPiece: number,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (const piece of pieces) {
    if (work.spend(cost.entries, entriesAPiece)) await work.yield();
    yield piece;
  }
}
