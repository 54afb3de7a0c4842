import { HostingError } from '@packhouse/hosting/tagging';

/** Milliseconds for a whole body of at most `max` bytes: a minute, and what it takes at 16 KB a second. */
const bodyTime = (max: number): number => 60_000 + Math.ceil(max / 16);

/**
 * The bytes of a body; `undefined` for one that breaks off or stalls, of which nobody knows what was meant to come.
 * Never holds more than `max` bytes and one chunk, nor waits for ever.
 *
 * @throws {HostingError} `bodyTooLarge`, read no further (REPO-041).
 */
export async function readBounded(request: Request, max: number): Promise<Uint8Array | undefined> {
  const tooLarge = new HostingError('bodyTooLarge');
  if (Number(request.headers.get('content-length') ?? 0) > max) throw tooLarge;
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  // Ends the read that waits, with what came until then; the flag tells it from a whole body.
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, bodyTime(max));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return undefined;
      if (done) break;
      size += value.length;
      if (size > max) throw tooLarge;
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    // Of a body that breaks off nobody is left to hear more.
    if (error === tooLarge) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
