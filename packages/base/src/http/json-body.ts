import { readBounded, type BodyBounds } from './read-bounded.ts';

/** Whether a `Content-Type` is that of JSON (REPO-040): a missing one is, and a charset may only be UTF-8. */
export function isJsonType(contentType: string | null): boolean {
  if (contentType === null) return true;
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  return type === 'application/json' && charsets.every((charset) => /^charset\s*=\s*("?)utf-?8\1$/.test(charset));
}

/**
 * The JSON value of a body; `undefined` for one that is no JSON in UTF-8, nested too deep for the parser, or not whole.
 *
 * @throws {HostingError} `bodyTooLarge`, or for want of memory.
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
