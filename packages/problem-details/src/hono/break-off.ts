/** The stream that Hono's `stream`, `streamText` and `streamSSE` pass to their error callback. */
interface HonoStream {
  close(): Promise<void>;
}

/**
 * Error callback for Hono's `stream`, `streamText` and `streamSSE`: `stream(c, callback, breakOff)`. Without it, they
 * end the body normally if their callback throws. With it, the body breaks off, so that the client sees a truncated
 * reply (ERR-127). Hono calls it only for `Error`s.
 */
export const breakOff = async (error: Error, stream: HonoStream): Promise<void> => {
  // No other way breaks such a stream: its own `abort` also ends the body normally.
  const writer: unknown = Reflect.get(stream, 'writer');
  if (writer instanceof WritableStreamDefaultWriter) await writer.abort(error);
};
