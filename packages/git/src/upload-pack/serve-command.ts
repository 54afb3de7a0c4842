import { negotiateFetch } from './acknowledgments.ts';
import { RepoRefs } from '../stored-refs/repo-refs.ts';
import { selectedRefs } from '../stored-refs/selected-refs.ts';
import { VisibleRefs } from '../stored-refs/visible-refs.ts';
import { listReply } from '../reply/list-reply.ts';
import { parseCommandRequest } from '../wire/fetch/command-request.ts';
import { servedFeatures } from '../wire/features.ts';
import type { FetchRequest } from '../wire/fetch/fetch-request.ts';
import { fetchHead, unreadyReply, wantedRefsSection, type WantedRef } from '../wire/fetch/fetch-response.ts';
import { IdList } from '../wire/id-list.ts';
import { writeLsRefsResponse, type LsRefsRequest } from '../wire/fetch/ls-refs.ts';
import type { PacketReader } from '../wire/packet-reader.ts';
import { startsWithAny } from '../refs/ref-prefixes.ts';
import { refusedInBand, RequestRefusedError } from '../wire/request-error.ts';
import { bandPackets } from '../wire/sideband-all.ts';
import { cost } from '../work/costs.ts';
import { emptyReply, serveRefs, type FetchService, type UploadPackReply } from './fetch-service.ts';
import { objectInfo } from './object-info.ts';
import { serveFetch } from './serve-fetch.ts';
import { refNamesMax } from '../ports/ref-query.ts';
import { printableRef } from '../wire/capabilities.ts';

/** Answers a request of version 2 (section 6). */
export async function serveCommand(service: FetchService, reader: PacketReader): Promise<UploadPackReply> {
  const request = await parseCommandRequest(reader, servedFeatures);
  if (request === undefined) return emptyReply;
  if (request.command === 'ls-refs') return serveRefs(service, (current) => listRefs(current, request));
  if (request.command === 'object-info') return serveRefs(service, (current) => objectInfo(current, request));
  try {
    return await serveRefs(service, (current) => fetchCommand(current, request));
  } catch (error) {
    throw request.sidebandAll ? refusedInBand(error) : error;
  }
}

/** Edges that sorting a prefix among others counts for. */
const edgesAPrefix = 16;

async function listRefs(service: FetchService, request: LsRefsRequest): Promise<UploadPackReply> {
  const { options, memory, lease, work } = service;
  const refs = visibleRefs(service);
  if (work.spend(cost.edges, edgesAPrefix * request.prefixes.length)) await work.yield();
  const head = startsWithAny('HEAD', request.prefixes) ? await refs.head() : undefined;
  const body = await listReply(writeLsRefsResponse(request, selectedRefs(refs, request.prefixes), head), {
    failed: options.failed,
    released: () => {
      memory.release();
      lease.release();
    },
  });
  return { body };
}

function visibleRefs({ engine, repository, snapshot, options, work }: FetchService): VisibleRefs {
  return new VisibleRefs(new RepoRefs(engine, repository, snapshot, work), snapshot, options.hiddenRefs);
}

async function fetchCommand(service: FetchService, request: FetchRequest): Promise<UploadPackReply> {
  const { wantRefs, waitForDone, sidebandAll } = request;
  // GIT-096.
  if (request.wants.length === 0 && wantRefs.length === 0 && !waitForDone) return emptyReply;
  const refs = await resolveWantRefs(visibleRefs(service), wantRefs);
  // Makes a separate list, since the next attempt may find other values.
  const wants = refs.length === 0 ? request.wants : new IdList();
  if (refs.length > 0) for (const oid of [...request.wants, ...refs.map((ref) => ref.oid)]) wants.add(oid);
  // Without wants there is no history to cut off.
  const asked = wants.length === 0 ? { ...request, depth: undefined } : { ...request, wants };
  return serveFetch(service, asked, {
    sideBand: 'side-band-64k',
    // GIT-099.
    keepAliveBand: sidebandAll ? 2 : 1,
    tellsOwnBoundary: true,
    negotiate: (history) => negotiateFetch(request, history, service.work),
    head({ negotiation: { reply, packFollows }, boundary }) {
      const acknowledgments = reply.length === 0 ? undefined : reply;
      const head = packFollows
        ? fetchHead({ acknowledgments, shallowInfo: boundary, wantedRefs: wantedRefsSection(refs) })
        : unreadyReply(reply);
      return sidebandAll ? bandPackets(head) : head;
    },
  });
}

/**
 * Resolves the refs of `want-ref`: visible ones by full name, and `HEAD`, which stock clients also send (GIT-098).
 * Retired tips do not count here.
 *
 * @throws {RequestRefusedError} for any other name.
 */
export async function resolveWantRefs(refs: VisibleRefs, names: readonly string[]): Promise<readonly WantedRef[]> {
  const wanted: WantedRef[] = [];
  for (let from = 0; from < names.length; from += refNamesMax) {
    const part = names.slice(from, from + refNamesMax);
    const found = await refs.find(part);
    for (const name of part) {
      const oid = name === 'HEAD' ? (await refs.head()).oid : found.get(name)?.oid;
      // The client has just seen HEAD as the only branch, and another one has come since (GIT-130).
      if (oid === undefined && name === 'HEAD' && names.length > 1) continue;
      if (oid === undefined) throw new RequestRefusedError(`unknown ref ${printableRef(name)}`);
      wanted.push({ name, oid });
    }
  }
  return wanted;
}
