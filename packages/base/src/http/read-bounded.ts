import { bodyTooLarge, HostingError } from '../errors/errors.ts';

/**
 * Reserves memory for a body, until the caller invokes the returned function. Resolves to `undefined` if the client
 * disconnects while it waits.
 *
 * @throws {HostingError} if memory is short.
 */
export type HoldMemory = (bytes: number) => Promise<(() => void) | undefined>;

/** Limits of reading a body. */
export interface BodyBounds {
  /** Longest allowed body in bytes. */
  readonly max: number;
  /** Default: no memory is reserved. */
  readonly hold?: HoldMemory | undefined;
}

/** Bodies up to this size in bytes need no reservation, since a connection alone may take as much. */
const smallBody = 16_384;

/** Memory per byte of a body: its chunk, the joined body and the decoded text. */
const bytesPerByte = 4;

/** Milliseconds allowed for a body of at most `max` bytes: one minute, plus its time at 16 KB/s. */
const bodyTime = (max: number): number => 60_000 + Math.ceil(max / 16);

/**
 * Yields the chunks of a body. Ends it early if the caller does.
 *
 * @throws {HostingError} `bodyTooLarge` above `max` bytes, without reading further (REPO-041). Another error if the client
 *   disconnects or is too slow.
 */
export async function* boundedChunks(request: Request, max: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (contentLength(request) > max) throw bodyTooLarge(max);
  if (request.body === null) return;
  const reader = request.body.getReader();
  // Cancelling ends the pending read as if the body were complete; `late` marks it as incomplete.
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, bodyTime(max));
  try {
    for (let size = 0; ;) {
      const { done, value } = await reader.read();
      if (late) throw new Error('the body takes too long');
      if (done) return;
      size += value.length;
      if (size > max) throw bodyTooLarge(max);
      yield value;
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

/** Returns the length that a request announces; 0 without one. */
function contentLength(request: Request): number {
  return Number(request.headers.get('content-length') ?? 0);
}

/**
 * Reads a whole body. Returns `undefined` if the client disconnects or is too slow. Holds at most `max` bytes and one
 * chunk. Reserves memory before it reads more than a small body (LIM-080).
 *
 * @throws {HostingError} `bodyTooLarge`, without reading further (REPO-041); also any error of `hold`.
 */
export async function readBounded(request: Request, { max, hold }: BodyBounds): Promise<Uint8Array | undefined> {
  const length = contentLength(request);
  if (length > max) throw bodyTooLarge(max);
  const releases: (() => void)[] = [];
  /** Bytes of the body that reservations cover. */
  let covered = 0;
  /**
   * Reserves memory for `bytes` of the body, at least doubling what is covered. Returns false if the client
   * disconnected.
   */
  const takeMemory = async (bytes: number): Promise<boolean> => {
    if (hold === undefined || !(bytes > Math.max(covered, smallBody))) return true;
    const next = Math.min(max, Math.max(bytes, 2 * covered));
    const release = await hold((next - covered) * bytesPerByte);
    if (release === undefined) return false;
    releases.push(release);
    covered = next;
    return true;
  };
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    if (!(await takeMemory(length))) return undefined;
    for await (const chunk of boundedChunks(request, max)) {
      size += chunk.length;
      if (!(await takeMemory(size))) return undefined;
      chunks.push(chunk);
    }
    return whole(chunks, size);
  } catch (error) {
    // It is still unread where memory was short.
    await request.body?.cancel().catch(() => {});
    // The client has gone, so an error reply would reach no client.
    if (error instanceof HostingError) throw error;
    return undefined;
  } finally {
    for (const release of releases) release();
  }
}

function whole(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
