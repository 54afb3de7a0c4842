import type { ObjectId } from '../object/object-id.ts';
import type { PackId } from '../ports/pack-store.ts';
import { oidAt } from '../refs/packed-refs.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import type { GitRepository } from '../engine/engine.ts';
import { hasNativePipes } from '../reply/native-pipe.ts';
import type { Handover, ReplyPiece } from '../reply/reply-stream.ts';
import type { IdList } from '../wire/id-list.ts';
import type { PackRequest } from '../wire/fetch/pack-request.ts';
import { frameBand, type SideBand } from '../wire/side-band.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import type { FetchService } from './fetch-service.ts';
import { progress } from './send/progress.ts';

/**
 * Returns the only pack of a repository unchanged, if exactly its objects are requested: then even the graph is not
 * read (`docs/design/workers.md`, "Clone"). Undefined if the pack must be planned.
 */
export async function wholePack(
  { engine, repository, snapshot, options, work }: FetchService,
  request: PackRequest,
  sideBand: SideBand,
  handover: Handover,
): Promise<AsyncGenerator<ReplyPiece, void, undefined> | undefined> {
  const [pack, ...others] = snapshot.packs;
  if (pack === undefined || others.length > 0 || !pack.exact || pack.where !== 'store') return undefined;
  if (request.haves.length > 0 || !request.ofsDelta || options.hiddenRefs.length > 0) return undefined;
  // A client's boundary or a depth excludes history, a filter excludes objects, and a repository's boundary must be
  // sent.
  if (request.shallow.length > 0 || request.depth !== undefined || request.filter !== undefined) return undefined;
  if (snapshot.shallow.length > 0) return undefined;
  const refs = new RepoRefs(engine, repository, snapshot, work);
  if (!(await isEveryValue(refs, request.wants, work))) return undefined;
  return storedPack(repository, pack.id, { sideBand, handover, told: request.noProgress ? undefined : pack.objects });
}

/** Tests if the wants are exactly the values of all refs. Ends once there are more values. */
async function isEveryValue(refs: RepoRefs, wants: IdList, work: Work): Promise<boolean> {
  const values = new Set<ObjectId>();
  for await (const { refs: packed, from, to } of refs.scan()) {
    for (let i = from; i < to; i++) values.add(oidAt(packed, i));
    if (values.size > wants.length) return false;
  }
  // Clients ask for each once or twice. More are gone through where other requests have their turn.
  if (wants.length > 2 * values.size) return false;
  const missing = new Set(values);
  for (const want of wants) {
    if (work.spend(cost.steps)) await work.yield();
    if (!values.has(want)) return false;
    missing.delete(want);
  }
  return missing.size === 0;
}

export interface StoredPackForm {
  readonly sideBand: SideBand;
  readonly handover: Handover;
  /** Number of objects in the progress; undefined: no progress. */
  readonly told: number | undefined;
}

/** Yields a stored pack as the reply carries it. */
export async function* storedPack(
  repository: GitRepository,
  id: PackId,
  { sideBand, handover, told }: StoredPackForm,
): AsyncGenerator<ReplyPiece, void, undefined> {
  yield* progress(sideBand, told);
  if (sideBand !== 'side-band-64k') {
    yield* frameBand(repository.packs.stream(id), sideBand, handover);
    return;
  }
  const framed = repository.packs.framed(id);
  if (hasNativePipes() && framed.pipeTo !== undefined) yield { pipeTo: framed.pipeTo };
  else for await (const chunk of framed) yield handover.isLent ? chunk : chunk.slice();
}
