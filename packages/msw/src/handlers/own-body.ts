/**
 * Returns the same request with a body that can be streamed and cancelled. MSW keeps a copy of each request, and
 * cancelling a body resolves only when its copies are cancelled, too. A service that refuses a long body would wait for
 * ever. Browsers without request streams (Firefox) have no `body`: the request is read whole there.
 */
export async function withOwnBody(request: Request): Promise<Request> {
  const { body } = request as { readonly body: Request['body'] | undefined };
  if (body === null) return request;
  return body === undefined ? await withShownBody(request) : withGivableBody(request, body);
}

function withGivableBody(request: Request, body: ReadableStream<Uint8Array>): Request {
  const reader = body.getReader();
  const own = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      reader.cancel(reason).catch(() => {});
    },
  });
  const { url, method, headers, redirect, signal } = request;
  const init: RequestInit & { readonly duplex: 'half' } = {
    method,
    headers,
    redirect,
    signal,
    body: own,
    duplex: 'half',
  };
  // Copying the request itself would fail in happy-dom, which reads the used body of the original.
  return new Request(url, init);
}

async function withShownBody(request: Request): Promise<Request> {
  const bytes = await request.arrayBuffer();
  const mayHaveOne = request.method !== 'GET' && request.method !== 'HEAD';
  const own = new Request(request, mayHaveOne ? { body: bytes } : {});
  return Object.defineProperty(own, 'body', { value: bytes.byteLength === 0 ? null : new Response(bytes).body });
}
