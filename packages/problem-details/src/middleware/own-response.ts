/**
 * Tests if a value is a response, by its members. `instanceof` fails where a server replaces the global `Response`, as
 * Hono's server for Node does.
 */
export const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' &&
  value !== null &&
  'status' in value &&
  typeof value.status === 'number' &&
  'headers' in value &&
  value.headers instanceof Headers &&
  'body' in value &&
  'bodyUsed' in value;

/**
 * Returns the response of an exception (ERR-122): a thrown response, or the result of `getResponse()`, as of Hono's
 * `HTTPException`. Ignores a member `response`, in which HTTP clients keep an origin's reply. Returns undefined if the
 * response cannot be sent, or if reading it throws.
 */
export const ownResponse = async (thrown: unknown): Promise<Response | undefined> => {
  try {
    const response = isResponse(thrown) ? thrown : await givenResponse(thrown);
    return isResponse(response) && canBeSent(response) ? response : undefined;
  } catch {
    return undefined;
  }
};

/** A response of a failed fetch (`Response.error()`), or with a locked or used body, cannot be sent. */
const canBeSent = ({ status, body, bodyUsed }: Response): boolean => status !== 0 && !bodyUsed && body?.locked !== true;

const givenResponse = (thrown: unknown): unknown => {
  if (typeof thrown !== 'object' || thrown === null || !('getResponse' in thrown)) return undefined;
  return typeof thrown.getResponse === 'function' ? (thrown.getResponse() as unknown) : undefined;
};
