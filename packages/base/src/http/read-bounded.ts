import { HostingError } from '../errors/errors.ts';

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
 * Reads a whole body. Returns `undefined` if the client disconnects or is too slow. Holds at most `max` bytes and one
 * chunk. Reserves memory before it reads more than a small body (LIM-080).
 *
 * @throws {HostingError} `bodyTooLarge`, without reading further (REPO-041); also any error of `hold`.
 */
export async function readBounded(request: Request, { max, hold }: BodyBounds): Promise<Uint8Array | undefined> {
  const tooLarge = new HostingError('bodyTooLarge');
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > max) throw tooLarge;
  if (request.body === null) return new Uint8Array(0);
  const releases: (() => void)[] = [];
  /** Bytes of the body that reservations cover. */
  let covered = 0;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  // Cancelling ends the pending read as if the body were complete; `late` marks it as incomplete.
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, bodyTime(max));
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
  try {
    if (!(await takeMemory(length))) return undefined;
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return undefined;
      if (done) break;
      size += value.length;
      if (size > max) throw tooLarge;
      if (!(await takeMemory(size))) return undefined;
      chunks.push(value);
    }
    return whole(chunks, size);
  } catch (error) {
    await reader.cancel().catch(() => {});
    // The client has gone, so an error reply would reach no client.
    if (error instanceof HostingError) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
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
