import { deflatePiece, type Deflater } from '../ports/codec.ts';

/** Compresses `bytes` piece by piece, on demand. */
export function* deflateParts(deflater: Deflater, bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; ; at += deflatePiece) {
    const isLast = at + deflatePiece >= bytes.length;
    yield deflater.part(bytes.subarray(at, at + deflatePiece), isLast);
    if (isLast) return;
  }
}
