/** Bytes. Above this, a connection is not worth keeping. */
const drainMax = 4 * 1_048_576;

/**
 * Reads what is left of a small body that was refused unread: proxies for development send the next request on the
 * same connection, behind it.
 */
export async function drainSmallBody(request: Request): Promise<void> {
  if (request.body === null || request.bodyUsed || request.body.locked) return;
  if (Number(request.headers.get('content-length') ?? 0) > drainMax) return;
  let left = drainMax;
  try {
    for await (const chunk of request.body as ReadableStream<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) return;
    }
  } catch {
    // The client left.
  }
}
