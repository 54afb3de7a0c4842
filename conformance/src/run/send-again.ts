/**
 * Sends a request once more if its connection was closed while it was written, which a server may do to one that looks
 * idle to it (RFC 9112 §9.3.1). A request that was not sent whole was not carried out. A body that streams is not sent again.
 */
export async function sendAgain(
  send: (request: Request) => Promise<Response>,
  url: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await send(new Request(url, init));
  } catch (error) {
    const again = !(init.body instanceof ReadableStream) && init.signal?.aborted !== true && closedWhileWritten(error);
    if (!again) throw error;
    return await send(new Request(url, init));
  }
}

function closedWhileWritten(error: unknown): boolean {
  return error instanceof Error && (error.cause as { readonly code?: unknown } | undefined)?.code === 'EPIPE';
}
