import { filterMemory } from '../filter/filter-memory.ts';
import { parseFilter } from '../filter/parse-filter.ts';
import { prepareFilter } from '../filter/prepare-filter.ts';
import { planFetch } from './plan/fetch-plan.ts';
import type { CommonHistory, Negotiation } from './acknowledgments.ts';
import { fetchMemory, fetchStart } from '../engine/request-memory.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { Visibility } from '../repository/visibility.ts';
import type { PackRequest } from '../wire/fetch/pack-request.ts';
import { commonHistory } from './common-history.ts';
import { requestHistory } from './request-history.ts';
import { Handover } from '../reply/reply-stream.ts';
import { fetchReply, type Bands } from './fetch-reply.ts';
import type { FetchService, UploadPackReply } from './fetch-service.ts';
import { knownPlan } from './known-plans.ts';
import { plannedPack } from './planned-pack.ts';
import { preparedKey, preparePack, sentPrepared, takePrepared } from './prepared-pack.ts';
import { resolveWants } from './wants.ts';
import { wholeMemory } from './send/whole-memory.ts';
import { wholePack } from './whole-pack.ts';
import { tagKind } from '../object/kind.ts';
import { objectIdBytes } from '../object/object-id.ts';

/** Differences between the versions of the protocol. */
export interface FetchForm extends Bands {
  /** Sends the boundary with the pack even without a requested depth (GIT-075, GIT-094). */
  readonly tellsOwnBoundary: boolean;
  readonly negotiate: (history: CommonHistory) => Promise<Negotiation>;
  /** Returns the packets before the pack, or the whole reply if no pack follows. */
  readonly head: (parts: HeadParts) => Uint8Array;
}

/** Parts of a reply before its pack. */
export interface HeadParts {
  readonly negotiation: Negotiation;
  /** Lines of the boundary, as packets; undefined if the reply does not mention it (GIT-072). */
  readonly boundary: Uint8Array | undefined;
}

/**
 * Answers a request that has wants: resolves them, negotiates, and plans and sends the pack.
 *
 * @throws {RequestRefusedError} for what cannot be served.
 */
export async function serveFetch(
  service: FetchService,
  request: PackRequest,
  form: FetchForm,
): Promise<UploadPackReply> {
  const { engine, repository, snapshot, options, work, memory } = service;
  const { sideBand } = form;
  const spec = request.filter === undefined ? undefined : parseFilter(request.filter);
  const handover = new Handover();
  const whole = await wholePack(service, request, sideBand, handover);
  if (whole !== undefined) {
    const negotiation = await form.negotiate({ commonNode: () => -1, isReady: () => false });
    const head = form.head({ negotiation, boundary: undefined });
    if (negotiation.packFollows) return fetchReply(service, form, { head, pieces: whole, handover, kind: 'clone' });
  }
  await memory.resize(fetchMemory(engine, snapshot));
  const view = await RepositoryView.open(engine, repository, snapshot, work, memory);
  const visibility = new Visibility(view, options.hiddenRefs, { stale: options.staleTips });
  const filter = spec === undefined ? undefined : await prepareFilter(view, visibility, spec);
  const wants = await resolveWants(view, visibility, request.wants);
  const history = await requestHistory(service, view, visibility, request, wants.nodes, form.tellsOwnBoundary);
  const leaning = await visibility.leaning();
  const negotiation = await form.negotiate(commonHistory(view, leaning, wants.nodes, history.clientShallow));
  // What is put together lies there twice for a moment.
  await memory.planMore(2 * negotiation.reply.length);
  const head = form.head({ negotiation, boundary: history.told });
  if (!negotiation.packFollows) return { body: head };

  const key = await preparedKey(service, visibility, request, spec);
  const prepared = key === undefined ? undefined : await takePrepared(service, key);
  if (key !== undefined && prepared !== undefined) {
    memory.keepForReply(fetchStart + head.length);
    const told = request.noProgress ? undefined : prepared.objects;
    const pieces = sentPrepared(service, key, prepared, { sideBand, handover, told });
    return fetchReply(service, form, { head, pieces, handover, released: prepared.release, kind: 'clone' });
  }
  const plan = await knownPlan(service, request, async () => {
    if (filter !== undefined) await memory.planMore(filterMemory(filter, view.set.objectCount));
    const nodes = {
      wants: wants.nodes,
      objects: wants.objects,
      given: wants.given,
      filter,
      common: negotiation.common,
      tags: request.includeTag ? await tagNodes(view, visibility) : [],
      clientShallow: history.clientShallow,
      bounds: history.bounds,
    };
    return planFetch(view.set, nodes, work, view);
  });
  await memory.expectReading(await wholeMemory(view.set, plan, request, work));
  const kind = negotiation.common.length > 0 ? 'fetch' : 'clone';
  const sent = (size: number): void => {
    if (key !== undefined) engine.prepared.background(() => preparePack(service, key, plan, request, size));
  };
  const pieces = plannedPack(view, plan, request, { sideBand, handover, sent });
  return fetchReply(service, form, { head, pieces, handover, kind });
}

/** The nodes of the tags that `include-tag` may add (GIT-068). */
async function tagNodes({ set }: RepositoryView, { refs: visible }: Visibility): Promise<readonly number[]> {
  const nodes: number[] = [];
  for await (const { refs, from, to } of visible.below('refs/tags/')) {
    for (let i = from; i < to; i++) {
      if (refs.kinds[i] === tagKind) nodes.push(set.findNode(refs.oids, i * objectIdBytes));
    }
  }
  return nodes;
}
