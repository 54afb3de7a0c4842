import { textResponse } from './text-response.ts';

/**
 * Reserves memory for a reply, until the caller invokes the returned function.
 *
 * @throws {HostingError} if there is no memory now.
 */
export type HoldReply = (bytes: number) => () => void;

/** Replies up to this size in bytes are sent without a reservation. Larger ones are sent in pieces of this size. */
const pieceSize = 65_536;

const encoder = new TextEncoder();

/**
 * Makes a reply of one text. Reserves memory for a large text until the client has read it or disconnected, even if the
 * client reads slowly (LIM-080).
 *
 * @throws {HostingError} if memory is short.
 */
export function heldResponse(
  text: string,
  init: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  hold: HoldReply | undefined,
): Response {
  const bytes = encoder.encode(text);
  if (hold === undefined || bytes.length <= pieceSize) return textResponse(bytes, init);
  const release = hold(bytes.length);
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + pieceSize));
        at += pieceSize;
        if (at < bytes.length) return;
        release();
        controller.close();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { ...init, headers: { ...init.headers, 'content-length': String(bytes.length) } });
}
