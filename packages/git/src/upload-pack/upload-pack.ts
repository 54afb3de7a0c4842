import { deletionOr, type RepoSnapshot } from '../ports/repo-state.ts';
import type { GitEngine, GitRepository } from '../engine/engine.ts';
import { RequestAccount } from '../memory/request-account.ts';
import { commonMemory, fetchStart, reserveFor } from '../engine/request-memory.ts';
import { PacketReader } from '../wire/packet-reader.ts';
import { RequestRefusedError } from '../wire/request-error.ts';
import { encodeRefusal } from '../wire/sideband-all.ts';
import { countedChunks } from '../work/counted-chunks.ts';
import {
  type FetchService,
  type UploadPackOptions,
  type UploadPackReply,
  emptyReply,
  serveRefs,
} from './fetch-service.ts';
import { serveCommand } from './serve-command.ts';
import { negotiateUpload } from './acknowledgments.ts';
import { servedFeatures } from '../wire/features.ts';
import { concatenate } from '../bytes/concatenate.ts';
import { flushPacket } from '../wire/pkt-line.ts';
import { parseUploadRequest } from '../wire/fetch/upload-request.ts';
import { serveFetch } from './serve-fetch.ts';

/**
 * Answers one POST to `git-upload-pack`.
 *
 * @throws {MalformedRequestError} GIT-016.
 * @throws {RequestTooLargeError} LIM-057.
 * @throws {NotEnoughMemoryError} LIM-059.
 */
export async function uploadPack(
  engine: GitEngine,
  repository: GitRepository,
  snapshot: RepoSnapshot,
  body: AsyncIterable<Uint8Array>,
  options: UploadPackOptions,
): Promise<UploadPackReply> {
  const lease = engine.leases.take(snapshot.packs);
  const reservation = await reserveFor(engine, snapshot, fetchStart, options).catch((error: unknown) => {
    lease.release();
    throw error;
  });
  const bounds = { most: options.memoryMax ?? Infinity, common: commonMemory(engine, snapshot) };
  const memory = new RequestAccount(reservation, bounds);
  const work = engine.scheduler.begin(options);
  const reader = new PacketReader(countedChunks(body, work), options.bodyMax, (bytes) => memory.keepLines(bytes));
  const service: FetchService = { engine, repository, snapshot, options, work, memory, lease };
  const release = (): void => {
    memory.release();
    lease.release();
  };
  try {
    const reply = options.version === 2 ? await serveCommand(service, reader) : await serveRequest(service, reader);
    // What streams lets go by itself.
    if (reply.body instanceof Uint8Array) release();
    return reply;
  } catch (error) {
    release();
    if (error instanceof RequestRefusedError) return { body: encodeRefusal(error.text, error.sidebandAll) };
    throw await deletionOr(error, repository);
  } finally {
    // What is left of the body does not matter any more, nor whether it can be let go of.
    await reader.cancel().catch(() => {});
  }
}

/** Answers a request of version 0 or 1 (section 4). */
async function serveRequest(service: FetchService, reader: PacketReader): Promise<UploadPackReply> {
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
