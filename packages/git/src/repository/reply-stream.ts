import { keepAlivePacket } from '../wire/side-band.ts';

/** How a streamed reply behaves while the service works on what comes next. */
export interface ReplyOptions {
  /** Milliseconds of silence before a keep-alive packet (LIM-063); undefined: the reply has no side-band to carry it. */
  readonly keepAlive: number | undefined;
  /** Whether keep-alives may come before the first piece. Default false: what comes first may not be a band's packet. */
  readonly keepAliveFirst?: boolean;
  /**
   * The last bytes of a reply whose pieces failed (GIT-071); undefined: it is broken off. Not asked once the client
   * has left.
   */
  readonly failure: (error: unknown) => Uint8Array | undefined;
}

/**
 * Pieces as the body of a reply. A piece is made only when the client has room for it, so a slow client holds nothing
 * but one piece (GIT-178).
 */
export function replyStream(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  options: ReplyOptions,
): ReadableStream<Uint8Array> {
  let next: Promise<IteratorResult<Uint8Array, void>> | undefined;
  let left = false;
  let begun = options.keepAliveFirst ?? false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          next ??= pieces.next();
          const result = begun && options.keepAlive !== undefined ? await within(next, options.keepAlive) : await next;
          if (result === undefined) {
            controller.enqueue(keepAlivePacket());
            return;
          }
          next = undefined;
          begun = true;
          if (result.done === true) controller.close();
          else controller.enqueue(result.value);
        } catch (error) {
          if (left) return;
          const last = options.failure(error);
          if (last === undefined) {
            controller.error(error);
            return;
          }
          controller.enqueue(last);
          controller.close();
        }
      },
      async cancel() {
        left = true;
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** What the promise gives, or undefined if it takes longer. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
