import type { PackId } from '../ports/pack-store.ts';
import type { GitRepository } from '../repository/engine.ts';
import { hasNativePipes } from '../repository/native-pipe.ts';
import type { ReplyPiece } from '../repository/reply-stream.ts';
import type { PackRequest } from '../wire/pack-request.ts';
import { frameBand, type SideBand } from '../wire/side-band.ts';
import type { FetchService } from './fetch-service.ts';
import { progress } from './progress.ts';

/**
 * The one pack of a repository as it lies, if nothing but its exact objects is asked for: then not even the graph is
 * looked at (`docs/design/workers.md`, "Clone"). Undefined: the pack must be planned.
 */
export function wholePack(
  { repository, snapshot, options }: FetchService,
  request: PackRequest,
  sideBand: SideBand,
): AsyncGenerator<ReplyPiece, void, undefined> | undefined {
  const [pack, ...others] = snapshot.packs;
  if (pack === undefined || others.length > 0 || !pack.exact || pack.where !== 'store') return undefined;
  if (request.haves.length > 0 || !request.ofsDelta || options.hiddenRefs.length > 0) return undefined;
  // A client's boundary or depth leaves out history, a filter objects, and a repository's boundary is to be told.
  if (request.shallow.length > 0 || request.depth !== undefined || request.filter !== undefined) return undefined;
  if (snapshot.shallow.length > 0) return undefined;
  const tips = new Set(snapshot.refs.map((ref) => ref.oid));
  // Whoever asks for each once or twice; more are looked at in turns.
  if (request.wants.length > 2 * tips.size) return undefined;
  const missing = new Set(tips);
  for (const want of request.wants) {
    if (!tips.has(want)) return undefined;
    missing.delete(want);
  }
  if (missing.size > 0) return undefined;
  return storedPack(repository, pack.id, sideBand, request.noProgress ? undefined : pack.objects);
}

/** A stored pack as the reply carries it. `told`: how many objects progress speaks of; undefined: it does not. */
export async function* storedPack(
  repository: GitRepository,
  id: PackId,
  sideBand: SideBand,
  told: number | undefined,
): AsyncGenerator<ReplyPiece, void, undefined> {
  yield* progress(sideBand, told);
  if (sideBand !== 'side-band-64k') {
    yield* frameBand(repository.packs.stream(id), sideBand, hasNativePipes());
    return;
  }
  const framed = repository.packs.framed(id);
  if (!hasNativePipes()) for await (const chunk of framed) yield chunk.slice();
  else if (framed.pipeTo === undefined) yield* framed;
  else yield { pipeTo: framed.pipeTo };
}
