/**
 * Compression, digests and comparison, nearly all synchronous, so that thousands of small objects need no promises. Platform
 * streams (`DecompressionStream`) do not report where a deflate stream ends, and differ between runtimes, so packs
 * never use them.
 */
export interface Codec {
  /** Makes an inflater. Reusing one for many streams is faster than one per stream. */
  inflater(): Inflater;
  /** Compresses `bytes` to a zlib stream (RFC 1950). `level` 0 to 9. */
  deflate(bytes: Uint8Array, level: number): Uint8Array;
  /**
   * Compresses `bytes` to a zlib stream in parts on demand, each of {@link deflatePiece} bytes of input and in a new
   * array. So a large body need not be compressed in one step.
   */
  deflateParts(bytes: Uint8Array, level: number): Generator<Uint8Array, void, undefined>;
  /** Makes a deflater of one zlib stream, for bytes that arrive in pieces. */
  deflater(level: number): Deflater;
  /**
   * Compresses a block to a part of a bare deflate stream (RFC 1951) while the caller goes on. The block must not change
   * meanwhile. Absent where the runtime can only compress at once.
   */
  readonly deflateAside?: (block: Uint8Array, options: AsideOptions) => Promise<Uint8Array>;
  /** Starts a running SHA-1. */
  sha1(): Sha1;
  /** Computes the SHA-1 of the parts in order: 20 bytes. */
  sha1Of(...parts: readonly Uint8Array[]): Uint8Array;
  /** Computes the CRC-32 of `bytes` (as in `.idx`), continuing from `seed` (default 0). Unsigned. */
  crc32(bytes: Uint8Array, seed?: number): number;
  /** Tests `length` bytes from `aStart` and from `bStart` on for equality, with native code. */
  equal(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean;
}

/** The place of a block in its stream. */
export interface AsideOptions {
  readonly level: number;
  /** The bytes before it, up to 32 KiB. Default: it is the first block. */
  readonly dictionary?: Uint8Array | undefined;
  /** True to end the stream; false to fill up its last byte, so that another part can follow. */
  readonly isLast: boolean;
}

/** Compresses to one zlib stream. */
export interface Deflater {
  /** Returns a part of the stream. Each piece but the last has {@link deflatePiece} bytes; it may change afterwards. */
  part(piece: Uint8Array, isLast: boolean): Uint8Array;
}

/** Input bytes per part of {@link Codec.deflateParts} and {@link Deflater.part}. */
export const deflatePiece: number = 128 * 1024;

/** Bytes before a place in a deflate stream that it may refer to. */
export const deflateWindow: number = 32 * 1024;

/** Inflates one zlib stream at a time, in pieces. It holds native memory, so call {@link Inflater.close}. */
export interface Inflater {
  /** Drops the current stream and starts a new one. */
  reset(): void;
  /**
   * Inflates from `input[inputStart..inputEnd)` to `output[outputStart..outputEnd)` until either is used up or the
   * stream ends.
   *
   * @throws {CodecError} for data that is not a zlib stream or has a wrong checksum. Then reset the inflater.
   */
  step(
    input: Uint8Array,
    inputStart: number,
    inputEnd: number,
    output: Uint8Array,
    outputStart: number,
    outputEnd: number,
  ): InflateStep;
  close(): void;
}

/**
 * Result of one step. The next step of the same inflater reuses the object, so read it at once. The stream has ended if
 * both input and output space are left.
 */
export interface InflateStep {
  /** Bytes of input used. */
  consumed: number;
  /** Bytes of output written. */
  produced: number;
}

/** A running SHA-1. */
export interface Sha1 {
  update(bytes: Uint8Array): void;
  /** Returns the 20 bytes, and ends the computation. */
  digest(): Uint8Array;
}

/** Data that does not inflate. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}
