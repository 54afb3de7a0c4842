import { textResponse } from './text-response.ts';

/**
 * Takes memory for a reply, until the function that it answers is called.
 *
 * @throws {HostingError} where there is no room at once.
 */
export type HoldReply = (bytes: number) => () => void;

/** Replies up to this size take no memory of those who ask for it, and no more than this is handed on at once. */
const pieceSize = 65_536;

const encoder = new TextEncoder();

/**
 * A reply of one text. If it is large, its memory is held until the client has taken it or left (LIM-080), however slowly
 * it reads.
 *
 * @throws {HostingError} for want of memory.
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
