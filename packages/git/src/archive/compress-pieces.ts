import { deflateWindow, type Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';

type Pieces = AsyncGenerator<Uint8Array, void, undefined>;
type DeflateAside = NonNullable<Codec['deflateAside']>;

/** Level of compression, as in `git archive`. */
export const archiveLevel = 6;
/** Pieces that wait for the compressor, which may work in other threads. */
const aheadMax = 4;

/**
 * Compresses pieces with gzip, or to a bare deflate stream. The next piece is asked for only when the compressor has room
 * for it. Each piece must stay as it is.
 */
export function compressPieces(format: 'gzip' | 'deflate-raw', pieces: Pieces, codec: Codec, work: Work): Pieces {
  const { deflateAside } = codec;
  if (deflateAside === undefined) return streamed(format, pieces, work);
  return format === 'gzip' ? gzipped(pieces, codec, deflateAside, work) : deflated(pieces, deflateAside, work);
}

/** The members of RFC 1952, as `git archive` writes them: without time and name. */
async function* gzipped(pieces: Pieces, codec: Codec, deflateAside: DeflateAside, work: Work): Pieces {
  let [crc, size] = [0, 0];
  const summed = async function* (): Pieces {
    for await (const piece of pieces) {
      crc = codec.crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  };
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
  yield* deflated(summed(), deflateAside, work);
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc, true);
  trailer.setUint32(4, size % 2 ** 32, true);
  yield new Uint8Array(trailer.buffer);
}

/** Compresses several pieces at once, each with the end of the one before as its dictionary. */
async function* deflated(pieces: Pieces, deflateAside: DeflateAside, work: Work): Pieces {
  const parts: Promise<Uint8Array>[] = [];
  let dictionary: Uint8Array | undefined;
  for await (const piece of pieces) {
    if (work.spend(cost.deflated, piece.length)) await work.yield();
    const part = deflateAside(piece, { level: archiveLevel, dictionary, isLast: false });
    // A failure is thrown below, when its turn comes.
    part.catch(() => {});
    parts.push(part);
    dictionary = piece.subarray(-deflateWindow);
    if (parts.length >= aheadMax) yield (await parts.shift()) as Uint8Array;
  }
  for (const part of parts) yield await part;
  yield endOfDeflate;
}

/** An empty last block. */
const endOfDeflate = Uint8Array.of(3, 0);

/** Piped streams would do the same, but Workers do not pipe one pair of native streams into another. */
async function* streamed(format: 'gzip' | 'deflate-raw', pieces: Pieces, work: Work): Pieces {
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

async function pump(pieces: Pieces, writable: WritableStream<BufferSource>, work: Work): Promise<void> {
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
