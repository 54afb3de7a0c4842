import { HostingError, type RawFields } from '@packhouse/hosting';
import { isJsonType, readJson } from '../json/json-body.ts';

/**
 * Reads a JSON body: media type, then size, then syntax (REPO-036, REPO-040 to REPO-042).
 *
 * @throws {HostingError} `mediaType`, `bodyTooLarge` or `malformedJson`.
 */
export async function readJsonBody(request: Request, max: number): Promise<RawFields> {
  if (!isJsonType(request.headers.get('content-type'))) throw new HostingError('mediaType');
  const value = await readJson(request, max);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new HostingError('malformedJson');
  return value as RawFields;
}
