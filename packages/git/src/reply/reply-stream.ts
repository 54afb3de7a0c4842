import type { FramedPack } from '../ports/pack-store.ts';
import { keepAlivePacket } from '../wire/side-band.ts';
import { within } from '../work/within.ts';
import { hasNativePipes, openNativePipe, type NativePipe } from './native-pipe.ts';

/** Behaviour of a streamed reply while the service works on the next bytes. */
export interface ReplyOptions {
  /** Milliseconds of silence before a keep-alive packet (LIM-063); undefined: the reply has no side-band to carry it. */
  readonly keepAlive: number | undefined;
  /** Band of keep-alives. Default: band 1. */
  readonly keepAliveBand?: 1 | 2;
  /** Allows keep-alives before the first piece. Default false: the first piece may not be a packet of a band. */
  readonly keepAliveFirst?: boolean;
  /** Length of the whole reply in bytes, if known in advance: a native stream then sends it to the client. */
  readonly length?: number;
  /**
   * The last bytes of a reply whose pieces failed (GIT-071); undefined: it is broken off. Not asked once the client
   * has left.
   */
  readonly failure: (error: unknown) => Uint8Array | undefined;
  /** Work that continues when the client leaves: cancelling the reply waits for its end. Default: no work. */
  readonly work?: Promise<unknown>;
  /** Called when there are no more pieces, for any reason; perhaps repeatedly. */
  readonly released?: () => void;
  /** Called once when the last piece was consumed; not for a reply that failed or whose reader left earlier. */
  readonly finished?: () => void;
  /** How the pieces are handed over, if they can be lent. */
  readonly handover?: Handover;
}

/** How the pieces of a reply are handed over; it may change while the reply is read. */
export class Handover {
  /**
   * True if the reader is done with a piece when it asks for the next one, so that its bytes can be used again. Otherwise
   * they must stay as they are for good. Native pipes keep no chunk, see {@link hasNativePipes}.
   */
  isLent: boolean = hasNativePipes();
}

/** A part of a reply: bytes, or a pack that knows how to pipe itself. */
export type ReplyPiece = Uint8Array | PipedPiece;

/** Only for runtimes where {@link openNativePipe} opens a pipe. */
export type PipedPiece = Required<Pick<FramedPack, 'pipeTo'>>;

/**
 * Pieces as the body of a reply. A piece is made only when the client has room for it, so a slow client holds nothing
 * but one piece (GIT-178).
 */
export function replyStream(
  pieces: AsyncGenerator<ReplyPiece, void, undefined>,
  options: ReplyOptions,
): ReadableStream<Uint8Array> {
  const pipe = openNativePipe(options.length);
  const reply = new Reply(pieces, options);
  if (pipe === undefined) {
    const stream = pulledStream(reply);
    if (options.handover !== undefined) handovers.set(stream, options.handover);
    return stream;
  }
  ends.set(pipe.readable, pump(reply, pipe));
  return pipe.readable;
}

const handovers = new WeakMap<ReadableStream<Uint8Array>, Handover>();

/**
 * Lets a reply use the memory of its chunks again: from now on, its one reader asks for a chunk only when it is done
 * with the one before. No read may be pending.
 *
 * @returns false for a stream that lends nothing, such as any other stream.
 */
export function borrowChunks(body: ReadableStream<Uint8Array>): boolean {
  const handover = handovers.get(body);
  if (handover === undefined) return false;
  handover.isLent = true;
  return true;
}

const ends = new WeakMap<ReadableStream<Uint8Array>, Promise<void>>();

/**
 * Resolves when a native reply was fully consumed, or its reader left, and all its memory is released; undefined for
 * other streams. A caller that needs this cannot pipe the reply through another native pair: Workers do not pipe from
 * one pair to another.
 */
export function replyEnd(body: ReadableStream<Uint8Array>): Promise<void> | undefined {
  return ends.get(body);
}

/** Yields the pieces with keep-alives between them, and always releases them at the end. */
class Reply {
  readonly #pieces: AsyncGenerator<ReplyPiece, void, undefined>;
  readonly #options: ReplyOptions;
  #next: Promise<IteratorResult<ReplyPiece, void>> | undefined;
  #begun: boolean;
  #hasEnded = false;
  #hasLeft = false;
  #hasFailed = false;

  constructor(pieces: AsyncGenerator<ReplyPiece, void, undefined>, options: ReplyOptions) {
    this.#pieces = pieces;
    this.#options = options;
    this.#begun = options.keepAliveFirst ?? false;
  }

  /** The next bytes; undefined at the end. Throws if the reply must be cut off. */
  async next(): Promise<ReplyPiece | undefined> {
    if (this.#hasEnded) return undefined;
    const { keepAlive } = this.#options;
    try {
      this.#next ??= this.#pieces.next();
      const result = this.#begun && keepAlive !== undefined ? await within(keepAlive, this.#next) : await this.#next;
      if (result === undefined) return keepAlivePacket(this.#options.keepAliveBand);
      this.#next = undefined;
      this.#begun = true;
      if (result.done !== true) return result.value;
      this.#options.released?.();
      return undefined;
    } catch (error) {
      return this.failed(error);
    }
  }

  /** Returns the end of the reply after a failure. */
  failed(error: unknown): Uint8Array | undefined {
    this.#hasEnded = true;
    this.#hasFailed = true;
    this.#options.released?.();
    if (this.#hasLeft) return undefined;
    const last = this.#options.failure(error);
    if (last === undefined) throw error;
    return last;
  }

  /** All available bytes were taken. */
  finish(): void {
    if (!this.#hasFailed) this.#options.finished?.();
  }

  /** Handles a client that has disconnected. */
  async leave(): Promise<void> {
    this.#hasLeft = true;
    this.#hasEnded = true;
    await this.#pieces.return();
    await this.#options.work?.catch(() => {});
    this.#options.released?.();
  }
}

function pulledStream(reply: Reply): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await reply.next();
          if (piece !== undefined) {
            controller.enqueue(piece as Uint8Array);
            return;
          }
          controller.close();
          reply.finish();
        } catch (error) {
          controller.error(error);
        }
      },
      cancel: () => reply.leave(),
    },
    { highWaterMark: 0 },
  );
}

/** Never rejects. */
async function pump(reply: Reply, { writable, isBroken }: NativePipe): Promise<void> {
  let writer = writable.getWriter();
  try {
    for (let piece = await reply.next(); piece !== undefined; piece = await reply.next()) {
      if (piece instanceof Uint8Array) {
        await writer.write(piece);
        continue;
      }
      writer.releaseLock();
      let failure: Uint8Array | undefined;
      try {
        await piece.pipeTo(writable);
      } catch (error) {
        if (isBroken()) throw error;
        failure = reply.failed(error);
      } finally {
        writer = writable.getWriter();
      }
      if (failure !== undefined) await writer.write(failure);
    }
    await writer.close();
    reply.finish();
  } catch (error) {
    await reply.leave().catch(() => {});
    await writer.abort(error).catch(() => {});
  }
}
