import { deletionOr, RepoGoneError } from '../ports/repo-state.ts';
import { storageTrouble } from '../ports/storage-trouble.ts';
import { replyStream, type Handover, type ReplyPiece } from '../reply/reply-stream.ts';
import { flushPacket } from '../wire/pkt-line.ts';
import { WorkAbortedError } from '../work/scheduler.ts';
import { encodeBand, type SideBand } from '../wire/side-band.ts';
import type { GitRepository } from '../engine/engine.ts';
import type { FetchKind, FetchService, UploadPackReply } from './fetch-service.ts';

/** How a reply is multiplexed. */
export interface Bands {
  readonly sideBand: SideBand;
  /** Band of keep-alives. */
  readonly keepAliveBand: 1 | 2;
}

/** Parts of a reply with a pack. */
export interface FetchReplyParts {
  /** The bytes before the pack. */
  readonly head: Uint8Array;
  /** The pack in its bands, without their end. */
  readonly pieces: AsyncGenerator<ReplyPiece, void, undefined>;
  readonly handover: Handover;
  /** Called when the reply ends or breaks off; perhaps repeatedly. */
  readonly released?: (() => void) | undefined;
  /** Reported when the reply ends. */
  readonly kind: FetchKind;
}

/** Makes a streaming reply of its parts. */
export function fetchReply(
  { repository, options, memory, lease }: FetchService,
  { sideBand, keepAliveBand }: Bands,
  { head, pieces, handover, released, kind }: FetchReplyParts,
): UploadPackReply {
  const stream = replyStream(withHead(head, explained(pieces, repository), sideBand), {
    handover,
    released: () => {
      memory.release();
      lease.release();
      released?.();
    },
    finished: () => options.fetched?.(kind),
    keepAlive: sideBand === 'none' ? undefined : options.keepAlive,
    keepAliveBand,
    failure: (error) => {
      // A repository that was deleted meanwhile is no fault (GIT-158), nor is a client that left.
      const isGone = error instanceof RepoGoneError;
      if (!(isGone || error instanceof WorkAbortedError)) options.failed(error);
      const text = isGone ? 'repository deleted' : (storageTrouble(error) ?? 'An internal error occurred.');
      return sideBand === 'none' ? undefined : encodeBand(3, `${text}\n`, sideBand);
    },
  });
  return { body: stream };
}

/** Yields the pieces. If one fails because the repository was deleted, it says so. */
async function* explained(
  pieces: AsyncGenerator<ReplyPiece, void, undefined>,
  repository: GitRepository,
): AsyncGenerator<ReplyPiece, void, undefined> {
  const explain = async (error: unknown): Promise<never> => {
    throw await deletionOr(error, repository);
  };
  try {
    for await (const piece of pieces) {
      yield piece instanceof Uint8Array ? piece : { pipeTo: (writable) => piece.pipeTo(writable).catch(explain) };
    }
  } catch (error) {
    await explain(error);
  }
}

async function* withHead(
  head: Uint8Array,
  pieces: AsyncGenerator<ReplyPiece, void, undefined>,
  sideBand: SideBand,
): AsyncGenerator<ReplyPiece, void, undefined> {
  if (head.length > 0) yield head;
  yield* pieces;
  if (sideBand !== 'none') yield flushPacket();
}
