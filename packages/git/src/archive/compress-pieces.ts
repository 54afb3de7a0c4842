import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

/** Pieces that wait for the compressor, which may work in another thread. */
const aheadMax = 4;

/**
 * Compresses pieces with gzip, or to a bare deflate stream. The next piece is asked for only when the compressor has room for it. Piped streams would
 * do the same, but Workers do not pipe one pair of native streams into another.
 */
export async function* compressPieces(
  format: 'gzip' | 'deflate-raw',
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new CompressionStream(format);
  const reader = readable.getReader();
  const pumped = pump(pieces, writable, work);
  // Reading shows the failure, too.
  pumped.catch(() => {});
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    await pumped;
  } finally {
    await reader.cancel().catch(() => {});
    await pumped.catch(() => {});
  }
}

async function pump(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
  writable: WritableStream<BufferSource>,
  work: Work,
): Promise<void> {
  const writer = writable.getWriter();
  const written: Promise<void>[] = [];
  try {
    for await (const piece of pieces) {
      if (work.spend(cost.deflated, piece.length)) await work.yield();
      const done = writer.write(piece as Uint8Array<ArrayBuffer>);
      // A failure is thrown below, when its turn comes.
      done.catch(() => {});
      written.push(done);
      // The queue of the writer has no limit that runtimes agree on.
      if (written.length >= aheadMax) await written.shift();
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}
