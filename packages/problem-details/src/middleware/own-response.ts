/**
 * Whether a value is a response. By its members: where a server puts a `Response` of its own in place of the global
 * one, as Hono's does on Node, one of them is no instance of the other.
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
 * The response that an exception brings (ERR-122): one that was thrown as it is, or what `getResponse()` gives, as of
 * Hono's `HTTPException`. A member `response` is none: clients keep there what an origin said to them. Undefined too
 * if it cannot be sent, or if asking for it throws.
 */
export const ownResponse = async (thrown: unknown): Promise<Response | undefined> => {
  try {
    const response = isResponse(thrown) ? thrown : await givenResponse(thrown);
    return isResponse(response) && canBeSent(response) ? response : undefined;
  } catch {
    return undefined;
  }
};

/** Not if it is a failed fetch (`Response.error()`), nor if somebody reads its body, or has. */
const canBeSent = ({ status, body, bodyUsed }: Response): boolean => status !== 0 && !bodyUsed && body?.locked !== true;

const givenResponse = (thrown: unknown): unknown => {
  if (typeof thrown !== 'object' || thrown === null || !('getResponse' in thrown)) return undefined;
  return typeof thrown.getResponse === 'function' ? (thrown.getResponse() as unknown) : undefined;
};
