/** What `stream`, `streamText` and `streamSSE` of Hono hand to their error callback. */
interface HonoStream {
  close(): Promise<void>;
}

/**
 * Error callback for `stream`, `streamText` and `streamSSE` of Hono: `stream(c, callback, breakOff)`. Without it they
 * end the body as if it were whole when their callback throws; with it the body breaks off, so that the client sees a
 * truncated reply (ERR-127). Hono calls it for `Error`s alone.
 */
export const breakOff = async (error: Error, stream: HonoStream): Promise<void> => {
  // The only way to break such a stream: its own `abort` ends the body, too.
  const writer: unknown = Reflect.get(stream, 'writer');
  if (writer instanceof WritableStreamDefaultWriter) await writer.abort(error);
};
