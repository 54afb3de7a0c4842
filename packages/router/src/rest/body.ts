import { HostingError, type RawFields } from '@packhouse/hosting';

/** Milliseconds for a whole body of at most `max` bytes: a minute, and what it takes at 16 KB a second. */
const bodyTime = (max: number): number => 60_000 + Math.ceil(max / 16);

/**
 * Reads a JSON body: media type, then size, then syntax (REPO-036, REPO-040 to REPO-042). Never holds more than `max`
 * bytes and one chunk, nor waits for ever: a body that breaks off or stalls is not whole JSON.
 *
 * @throws {HostingError} `mediaType`, `bodyTooLarge` or `malformedJson`.
 */
export async function readJsonBody(request: Request, max: number): Promise<RawFields> {
  if (!isJson(request.headers.get('content-type'))) throw new HostingError('mediaType');
  const bytes = await readBounded(request, max);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new HostingError('malformedJson');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new HostingError('malformedJson');
  return value as RawFields;
}

/** A missing type counts as JSON; a charset may only be UTF-8. */
function isJson(contentType: string | null): boolean {
  if (contentType === null) return true;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  return type === 'application/json' && charsets.every((charset) => /^charset\s*=\s*("?)utf-?8\1$/.test(charset));
}

async function readBounded(request: Request, max: number): Promise<Uint8Array> {
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
      if (late) throw new HostingError('malformedJson');
      if (done) break;
      size += value.length;
      if (size > max) throw tooLarge;
      chunks.push(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => {});
    // A body that breaks off is not whole JSON; nobody is left to hear more.
    throw error === tooLarge ? error : new HostingError('malformedJson');
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
