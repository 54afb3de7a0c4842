import { blobKind } from '../object/kind.ts';
import { deflatePiece, type Codec } from '../ports/codec.ts';
import { cost } from '../work/costs.ts';
import type { Work } from '../work/scheduler.ts';
import { entryHeaderMax, writeEntryHeader } from './entry-header.ts';

const compressionLevel = 6;

/** Yields the entry in a pack of a blob of `size` bytes, which may arrive meanwhile. */
export async function* blobEntry(
  codec: Codec,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  const header = new Uint8Array(entryHeaderMax);
  yield header.subarray(0, writeEntryHeader(header, 0, blobKind, size));
  const deflater = codec.deflater(compressionLevel);
  for await (const { piece, isLast } of inPieces(bytes, size)) {
    if (work.spend(cost.deflated, piece.length)) await work.yield();
    yield deflater.part(piece, isLast);
  }
}

/** Yields the bytes in pieces of {@link deflatePiece}, at least one. A piece is valid until the next one. */
async function* inPieces(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly piece: Uint8Array; readonly isLast: boolean }, void, undefined> {
  const buffer = new Uint8Array(Math.min(size, deflatePiece));
  let filled = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      if (filled === deflatePiece) {
        yield { piece: buffer, isLast: false };
        filled = 0;
      }
      const taken = Math.min(deflatePiece - filled, chunk.length - at);
      buffer.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
    }
  }
  yield { piece: buffer.subarray(0, filled), isLast: true };
}
