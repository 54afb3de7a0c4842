import { negotiateFetch } from '../negotiation/acknowledgments.ts';
import { resolveHead } from '../refs/head.ts';
import { visibleRefs } from '../refs/visible-refs.ts';
import { parseCommandRequest } from '../wire/command-request.ts';
import { servedFeatures } from '../wire/features.ts';
import type { FetchRequest } from '../wire/fetch-request.ts';
import { joinSections, packfileHeader, shallowInfoSection } from '../wire/fetch-response.ts';
import { writeLsRefsResponse, type LsRefsRequest } from '../wire/ls-refs.ts';
import type { PacketReader } from '../wire/packet-reader.ts';
import { emptyReply, type FetchService, type UploadPackReply } from './fetch-service.ts';
import { serveFetch, type HeadParts } from './serve-fetch.ts';

/** Answers a request of version 2 (section 6). */
export async function serveCommand(service: FetchService, reader: PacketReader): Promise<UploadPackReply> {
  const request = await parseCommandRequest(reader, servedFeatures);
  if (request === undefined) return emptyReply;
  return request.command === 'ls-refs' ? listRefs(service, request) : fetchCommand(service, request);
}

function listRefs({ snapshot, options }: FetchService, request: LsRefsRequest): UploadPackReply {
  const refs = visibleRefs(snapshot.refs, options.hiddenRefs);
  return { body: writeLsRefsResponse(request, refs, resolveHead(refs, snapshot.defaultBranch)), fetch: 'none' };
}

async function fetchCommand(service: FetchService, request: FetchRequest): Promise<UploadPackReply> {
  if (request.wants.length === 0) return emptyReply;
  return serveFetch(service, request, {
    sideBand: 'side-band-64k',
    negotiate: (history) => negotiateFetch(request, history),
    head: fetchSections,
  });
}

/** The sections before the pack, in the order of GIT-094; without a pack the acknowledgements alone. */
function fetchSections({ negotiation, boundary }: HeadParts): string {
  const { reply, packFollows } = negotiation;
  if (!packFollows) return joinSections([reply], 'flush');
  const sections = reply === '' ? [] : [reply];
  if (boundary !== undefined) sections.push(shallowInfoSection(boundary));
  return joinSections([...sections, packfileHeader], 'open');
}
