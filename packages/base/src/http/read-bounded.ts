import { HostingError } from '../errors/errors.ts';

/**
 * Takes memory for a body, until the function that it answers is called; `undefined`: the client left meanwhile.
 *
 * @throws {HostingError} for want of memory.
 */
export type HoldMemory = (bytes: number) => Promise<(() => void) | undefined>;

/** How much of a body is read. */
export interface BodyBounds {
  /** Bytes of the longest body. */
  readonly max: number;
  /** Default: nobody counts the memory. */
  readonly hold?: HoldMemory | undefined;
}

/** Bodies up to this size take no memory of those who ask for it: a connection may take as much. */
const smallBody = 16_384;

/** Bytes that a byte of a body takes: its chunk, the whole, and its text. */
const bytesPerByte = 4;

/** Milliseconds for a whole body of at most `max` bytes: a minute, and what it takes at 16 KB a second. */
const bodyTime = (max: number): number => 60_000 + Math.ceil(max / 16);

/**
 * The bytes of a body; `undefined` for one that breaks off or stalls, of which nobody knows what was meant to come.
 * Never holds more than `max` bytes and one chunk, nor waits for ever. What is not small is read once there is memory for
 * it (LIM-080).
 *
 * @throws {HostingError} `bodyTooLarge`, read no further (REPO-041); what `hold` throws.
 */
export async function readBounded(request: Request, { max, hold }: BodyBounds): Promise<Uint8Array | undefined> {
  const tooLarge = new HostingError('bodyTooLarge');
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > max) throw tooLarge;
  if (request.body === null) return new Uint8Array(0);
  const releases: (() => void)[] = [];
  /** Bytes of the body that memory is held for. */
  let covered = 0;
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  // Ends the read that waits, with what came until then; the flag tells it from a whole body.
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, bodyTime(max));
  /** Takes memory for so much of the body, and for as much again as there is already; false: the client left. */
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
    // Of a body that breaks off nobody is left to hear more.
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
