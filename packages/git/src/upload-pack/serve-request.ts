import { negotiateUpload } from './acknowledgments.ts';
import { servedFeatures } from '../wire/features.ts';
import type { PacketReader } from '../wire/packet-reader.ts';
import { concatenate } from '../bytes/concatenate.ts';
import { flushPacket } from '../wire/pkt-line.ts';
import { parseUploadRequest } from '../wire/fetch/upload-request.ts';
import { emptyReply, serveRefs, type FetchService, type UploadPackReply } from './fetch-service.ts';
import { serveFetch } from './serve-fetch.ts';

/** Answers a request of version 0 or 1 (section 4). */
export async function serveRequest(service: FetchService, reader: PacketReader): Promise<UploadPackReply> {
  const request = await parseUploadRequest(reader, servedFeatures);
  if (request.wants.length === 0) return emptyReply;
  return serveRefs(service, (current) =>
    serveFetch(current, request, {
      sideBand: request.sideBand,
      keepAliveBand: 1,
      tellsOwnBoundary: false,
      negotiate: (history) => negotiateUpload(request, history, service.work),
      // GIT-063: the shallow lines come first in every reply to a request for depth.
      head: ({ negotiation, boundary }) =>
        boundary === undefined ? negotiation.reply : concatenate([boundary, flushPacket(), negotiation.reply]),
    }),
  );
}
