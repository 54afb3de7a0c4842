import type { FetchPlan } from './plan/fetch-plan.ts';
import type { Handover, ReplyPiece } from '../reply/reply-stream.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { PackRequest } from '../wire/fetch/pack-request.ts';
import { frameBand, type SideBand } from '../wire/side-band.ts';
import { packStream } from './send/pack-stream.ts';
import { progress } from './send/progress.ts';
import { storedPack } from './whole-pack.ts';

interface PlannedPackForm {
  readonly sideBand: SideBand;
  readonly handover: Handover;
  /** Receives the number of bytes that a pack took in the reply, if it was made for the request, when it was sent. */
  readonly sent: (size: number) => void;
}

/** Yields the pack of a plan as the reply carries it. */
export async function* plannedPack(
  view: RepositoryView,
  plan: FetchPlan,
  request: PackRequest,
  { sideBand, handover, sent }: PlannedPackForm,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const [pack] = view.set.packs;
  const isStored = view.snapshot.packs[0]?.where === 'store';
  // Where every object of the only pack is sent, the pack is what lies there.
  if (pack !== undefined && view.set.packs.length === 1 && isStored && request.ofsDelta) {
    if (plan.objects.length === pack.graph.count && plan.objects.length > 0) {
      const told = request.noProgress ? undefined : pack.graph.count;
      yield* storedPack(view.repository, pack.record.id, { sideBand, handover, told });
      return;
    }
  }
  yield* progress(sideBand, request.noProgress ? undefined : plan.objects.length);
  let size = 0;
  for await (const chunk of frameBand(packStream(view, plan, request), sideBand, handover)) {
    size += chunk.length;
    yield chunk;
  }
  sent(size);
}
