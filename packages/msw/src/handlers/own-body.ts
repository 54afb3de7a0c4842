/**
 * The same request with a body that can be given up. MSW keeps a copy of each request, and a body that has a copy is
 * given up only when both are, so that a service which refuses a long body would wait for ever.
 */
export async function withOwnBody(request: Request): Promise<Request> {
  const { body } = request;
  // Where requests show no body as a stream, there is none to give up.
  if (!body) return request;
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
  const init: RequestInit & { readonly duplex: 'half' } = { body: own, duplex: 'half' };
  return new Request(request, init);
}
