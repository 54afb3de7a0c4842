import { byteLength } from '../packs/buffer-list.ts';
import { writeFrameHeader } from '../packs/framing.ts';
import type { BucketBody, OpenSizedStream } from './bucket.ts';
import { storedSize, type Layout } from './layout.ts';

/** Four frames of a pack, copied at a time for a body of any length. */
const scratchSize = 4 * 65_520;

/**
 * Sends `chunks` in the layout of an object. A body above 256 KiB is sent as a stream, by one small buffer, or as pieces
 * if `open` is null. Does not read the chunks after the promise settles.
 *
 * @param send stores the body; called once.
 */
export async function sendBody<T>(
  layout: Layout,
  chunks: readonly Uint8Array[],
  open: OpenSizedStream | null,
  send: (body: BucketBody) => Promise<T>,
): Promise<T> {
  const payload = byteLength(chunks);
  const size = storedSize(layout, payload);
  if (size <= scratchSize) {
    const [whole] = pieces(layout, chunks, payload, new Uint8Array(size));
    return send(whole ?? new Uint8Array(0));
  }
  if (open === null) return send({ size, pieces: () => pieces(layout, chunks, payload, new Uint8Array(scratchSize)) });
  const { readable, writable } = open(size);
  const writer = writable.getWriter();
  const state = { isOver: false };
  void write(writer, pieces(layout, chunks, payload, new Uint8Array(scratchSize)), state);
  try {
    return await send(readable);
  } finally {
    state.isOver = true;
    // A store that replies before it has read everything leaves a write pending. Do not wait for it.
    if (!readable.locked) void readable.cancel().catch(() => undefined);
    void writer.abort().catch(() => undefined);
  }
}

/** Never rejects, since a failure here also fails the sending. Reads no chunk after the sending is over. */
async function write(
  writer: WritableStreamDefaultWriter<Uint8Array>,
  bytes: Iterator<Uint8Array>,
  state: { readonly isOver: boolean },
): Promise<void> {
  try {
    for (let next = bytes.next(); next.done !== true; next = bytes.next()) {
      await writer.write(next.value);
      if (state.isOver) return;
    }
    await writer.close();
  } catch {
    await writer.closed.catch(() => undefined);
  }
}

/** Yields the stored bytes in pieces, each of which overwrites the previous one. */
function* pieces(
  layout: Layout,
  chunks: readonly Uint8Array[],
  payload: number,
  scratch: Uint8Array,
): Generator<Uint8Array, void> {
  let filled = 0;
  let left = payload;
  let inFrame = 0;
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      if (filled === scratch.length || (inFrame === 0 && filled + layout.header >= scratch.length)) {
        yield scratch.subarray(0, filled);
        filled = 0;
      }
      if (inFrame === 0) {
        inFrame = Math.min(layout.payload, left);
        if (layout.header > 0) writeFrameHeader(scratch, filled, inFrame);
        filled += layout.header;
      }
      const size = Math.min(chunk.length - at, inFrame, scratch.length - filled);
      scratch.set(chunk.subarray(at, at + size), filled);
      filled += size;
      at += size;
      inFrame -= size;
      left -= size;
    }
  }
  if (filled > 0) yield scratch.subarray(0, filled);
}
