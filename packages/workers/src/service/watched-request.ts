/** Bytes of one read: the platform's own pieces are some 4 KiB, each a step from native code and back. */
const readSize = 65_536;

/** The same request; `left` is called if its client goes away before all of the body has come. */
export function watchedRequest(request: Request, left: () => void): Request {
  if (request.body === null) return request;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader({ mode: 'byob' });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.readAtLeast(readSize, new Uint8Array(readSize));
          if (value !== undefined && value.length > 0) controller.enqueue(value);
          if (done) controller.close();
        } catch (error) {
          left();
          controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Request(request, { body });
}
