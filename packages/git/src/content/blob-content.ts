import type { ObjectId } from '../object/object-id.ts';
import { readingMemory } from '../memory/reading-memory.ts';
import type { RepositoryView } from '../repository/repository-view.ts';
import type { RequestAccount } from '../memory/request-account.ts';
import { replyStream } from '../reply/reply-stream.ts';
import { entryBytes, inflatedPieces, pieceSize } from './blob-pieces.ts';
import { WorkAbortedError } from '../work/scheduler.ts';

/** Blobs up to this size are read at once, and returned as bytes. */
const smallMax = 128 * 1024;

/** Memory of a stream of pieces: some pieces, a chunk of the store, and zlib's window. */
const streamMemory = 4 * pieceSize;

type Pieces = AsyncGenerator<Uint8Array, void, undefined>;

/**
 * A found blob: its size is known, and its content is read on demand. It holds memory and packs until its body has been
 * read or cancelled, or {@link BlobContent.release} is called: do one of these.
 *
 * A blob that is stored whole is inflated piece by piece. A delta needs its base, so it is built in memory first
 * (LIM-059).
 */
export class BlobContent {
  readonly hash: ObjectId;
  /** Size in bytes. */
  readonly size: number;
  readonly #account: RequestAccount;
  readonly #release: () => void;
  /** Dropped when the blob is opened, with everything it holds. */
  #view: RepositoryView | undefined;
  readonly #object: number;
  #opened: Promise<Uint8Array | Pieces> | undefined;
  /** Pieces that were read to look at. */
  readonly #front: Uint8Array[] = [];

  constructor(view: RepositoryView, object: number, hash: ObjectId, account: RequestAccount, release: () => void) {
    this.hash = hash;
    this.size = view.set.size(object);
    this.#account = account;
    this.#release = release;
    this.#view = view;
    this.#object = object;
  }

  /**
   * Returns the first `length` bytes, fewer only if the blob is shorter. The body includes them, too. If it throws,
   * everything is released.
   *
   * @throws {NotEnoughMemoryError}
   */
  async head(length: number): Promise<Uint8Array> {
    const opened = await this.#open();
    if (opened instanceof Uint8Array) return opened.subarray(0, length);
    let size = this.#front.reduce((sum, piece) => sum + piece.length, 0);
    while (size < length) {
      const next = await opened.next().catch((error: unknown) => {
        this.#release();
        throw error;
      });
      if (next.done === true) break;
      this.#front.push(next.value);
      size += next.value.length;
    }
    const head = new Uint8Array(Math.min(size, length));
    let at = 0;
    for (const piece of this.#front) {
      if (at === head.length) break;
      const part = piece.subarray(0, head.length - at);
      head.set(part, at);
      at += part.length;
    }
    return head;
  }

  /**
   * Returns the whole content: small content as bytes, larger one as a stream that inflates on demand and breaks off if
   * the store fails. Call it once.
   *
   * @param failed called with the error that broke off the stream, for logs.
   * @throws {NotEnoughMemoryError}
   */
  async body(failed: (error: unknown) => void): Promise<Uint8Array | ReadableStream<Uint8Array>> {
    const opened = await this.#open();
    if (opened instanceof Uint8Array) {
      this.#release();
      return opened;
    }
    return replyStream(withFront(this.#front, opened), {
      keepAlive: undefined,
      length: this.size,
      released: () => {
        // Closing the stream does not close a generator that it has not started.
        void opened.return().catch(() => {});
        this.#release();
      },
      failure: (error) => {
        if (!(error instanceof WorkAbortedError)) failed(error);
        return undefined;
      },
    });
  }

  /** Releases everything, for a caller that does not need the body. Idempotent. */
  async release(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    if (opened !== undefined && !(opened instanceof Uint8Array)) await opened.return().catch(() => {});
    this.#release();
  }

  #open(): Promise<Uint8Array | Pieces> {
    this.#opened ??= this.#read().catch((error: unknown) => {
      this.#release();
      throw error;
    });
    return this.#opened;
  }

  async #read(): Promise<Uint8Array | Pieces> {
    const view = this.#view as RepositoryView;
    this.#view = undefined;
    const pack = view.set.packOfObject(this.#object);
    const ordinal = this.#object - pack.objectStart;
    const isWhole = (pack.graph.bases[ordinal] as number) < 0;
    if (isWhole && this.size > smallMax) {
      const bytes = await entryBytes(view, pack, ordinal);
      this.#account.keepForReply(streamMemory + (bytes instanceof Uint8Array ? bytes.length : 0));
      return inflatedPieces(view.engine.codec, bytes, this.size, view.work);
    }
    // A slow client keeps the content for long, in addition to the memory for reading it.
    if (this.size > smallMax) await this.#account.planMore(this.size);
    await this.#account.expectReading(readingMemory(pack.graph, ordinal));
    const read = (await view.read(this.#object)).body;
    // Copies a small body, so that the buffer around it can be freed.
    const body = read.length < read.buffer.byteLength ? read.slice() : read;
    this.#account.keepForReply(body.length + streamMemory);
    return this.size > smallMax ? slices(body) : body;
  }
}

async function* slices(body: Uint8Array): Pieces {
  for (let at = 0; at < body.length; at += pieceSize) yield body.subarray(at, at + pieceSize);
}

async function* withFront(front: Uint8Array[], rest: Pieces): Pieces {
  for (let piece = front.shift(); piece !== undefined; piece = front.shift()) yield piece;
  yield* rest;
}
