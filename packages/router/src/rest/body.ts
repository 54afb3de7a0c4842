import { HostingError, type RawFields, isJsonType, readJson, type BodyBounds } from '@packhouse/base';

/**
 * Reads a JSON body: media type, then size, then syntax (REPO-036, REPO-040 to REPO-042).
 *
 * @throws {HostingError} `mediaType`, `bodyTooLarge` or `malformedJson`, or an error of `bounds.hold` if memory is
 *   short.
 */
export async function readJsonBody(request: Request, bounds: BodyBounds): Promise<RawFields> {
  if (!isJsonType(request.headers.get('content-type'))) throw new HostingError('mediaType');
  const value = await readJson(request, bounds);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new HostingError('malformedJson');
  return value as RawFields;
}
