import { readBounded, type BodyBounds } from './read-bounded.ts';

/** Tests if a `Content-Type` means JSON (REPO-040). A missing one does; a charset must be UTF-8. */
export function isJsonType(contentType: string | null): boolean {
  if (contentType === null) return true;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  return type === 'application/json' && charsets.every((charset) => /^charset\s*=\s*("?)utf-?8\1$/.test(charset));
}

/** Tests if a body has no content coding (RFC 9110 §8.4), since none is decoded. */
export function hasPlainCoding(headers: Headers): boolean {
  const coding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  return coding === '' || coding === 'identity';
}

/**
 * Reads a body and parses it as JSON. Returns `undefined` if the body is incomplete, malformed, not UTF-8, or nested
 * too deeply for the parser.
 *
 * @throws {HostingError} `bodyTooLarge`, or if memory is short.
 */
export async function readJson(request: Request, bounds: BodyBounds): Promise<unknown> {
  const bytes = await readBounded(request, bounds);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
