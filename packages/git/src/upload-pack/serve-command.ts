import { negotiateFetch } from '../negotiation/acknowledgments.ts';
import { resolveHead } from '../refs/head.ts';
import { visibleRefs } from '../refs/visible-refs.ts';
import { parseCommandRequest } from '../wire/command-request.ts';
import { servedFeatures } from '../wire/features.ts';
import type { FetchRequest } from '../wire/fetch-request.ts';
import { fetchHead, unreadyReply, wantedRefsSection } from '../wire/fetch-response.ts';
import { writeLsRefsResponse, type LsRefsRequest } from '../wire/ls-refs.ts';
import type { PacketReader } from '../wire/packet-reader.ts';
import { refusedInBand } from '../wire/request-error.ts';
import { bandPackets } from '../wire/sideband-all.ts';
import { emptyReply, type FetchService, type UploadPackReply } from './fetch-service.ts';
import { objectInfo } from './object-info.ts';
import { serveFetch } from './serve-fetch.ts';
import { resolveWantRefs } from './want-refs.ts';

/** Answers a request of version 2 (section 6). */
export async function serveCommand(service: FetchService, reader: PacketReader): Promise<UploadPackReply> {
  const request = await parseCommandRequest(reader, servedFeatures);
  if (request === undefined) return emptyReply;
  if (request.command === 'ls-refs') return listRefs(service, request);
  if (request.command === 'object-info') return objectInfo(service, request);
  try {
    return await fetchCommand(service, request);
  } catch (error) {
    throw request.sidebandAll ? refusedInBand(error) : error;
  }
}

function listRefs({ snapshot, options }: FetchService, request: LsRefsRequest): UploadPackReply {
  const refs = visibleRefs(snapshot.refs, options.hiddenRefs);
  return { body: writeLsRefsResponse(request, refs, resolveHead(refs, snapshot.defaultBranch)) };
}

async function fetchCommand(service: FetchService, request: FetchRequest): Promise<UploadPackReply> {
  const { wants, wantRefs, waitForDone, sidebandAll } = request;
  // GIT-096.
  if (wants.length === 0 && wantRefs.length === 0 && !waitForDone) return emptyReply;
  const refs = resolveWantRefs(service.snapshot, service.options.hiddenRefs, wantRefs);
  for (const { oid } of refs) wants.add(oid);
  // Where nothing is wanted there is no history to cut off.
  const asked = wants.length === 0 ? { ...request, depth: undefined } : request;
  return serveFetch(service, asked, {
    sideBand: 'side-band-64k',
    // GIT-099.
    keepAliveBand: sidebandAll ? 2 : 1,
    tellsOwnBoundary: true,
    negotiate: (history) => negotiateFetch(request, history),
    head({ negotiation: { reply, packFollows }, boundary }) {
      const acknowledgments = reply.length === 0 ? undefined : reply;
      const head = packFollows
        ? fetchHead({ acknowledgments, shallowInfo: boundary, wantedRefs: wantedRefsSection(refs) })
        : unreadyReply(reply);
      return sidebandAll ? bandPackets(head) : head;
    },
  });
}
