import type { Span } from '@packhouse/base';

/**
 * Makes the body of a reply in a span that lasts until the body was read, cancelled or broken off. Reads of the body run
 * in the span, since they do the work of a stream.
 */
export async function tracedBody<Body extends ReadableStream<Uint8Array> | Uint8Array>(
  span: Span,
  make: () => Promise<Body>,
): Promise<Body | ReadableStream<Uint8Array>> {
  try {
    const body = await span.run(make);
    if (body instanceof ReadableStream) return untilRead(body, span, (failed) => span.end({ failed }));
    span.end();
    return body;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}

/** Returns a stream of the same bytes that calls `ended` once: `failed` is true if the body broke off. */
export function untilRead(
  body: ReadableStream<Uint8Array>,
  span: Span,
  ended: (failed: boolean) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await span
          .run(() => reader.read())
          .catch((error: unknown) => {
            ended(true);
            throw error;
          });
        if (!done) return controller.enqueue(value);
        ended(false);
        controller.close();
      },
      async cancel(reason) {
        ended(false);
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead: the bytes of a chunk may be valid only until the next one is read.
    { highWaterMark: 0 },
  );
}
