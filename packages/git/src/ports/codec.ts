/**
 * Compression, digests and comparison, synchronous, so that thousands of small objects cost no promise each.
 * Streams of the platform (`DecompressionStream`) do not tell where a deflate stream ends and differ between
 * runtimes, so packs never go through them.
 */
export interface Codec {
  /** A new inflater; reusing one for many streams is faster than one each. */
  inflater(): Inflater;
  /** Compresses `bytes` to a zlib stream (RFC 1950). `level` 0 to 9. */
  deflate(bytes: Uint8Array, level: number): Uint8Array;
  /**
   * A zlib stream of `bytes` in parts, which it makes as they are asked for: of {@link deflatePiece} bytes each. So a
   * large body need not be compressed in one go.
   */
  deflateParts(bytes: Uint8Array, level: number): Generator<Uint8Array, void, undefined>;
  /** A new running SHA-1. */
  sha1(): Sha1;
  /** SHA-1 of the given parts, one after the other: 20 bytes. */
  sha1Of(...parts: readonly Uint8Array[]): Uint8Array;
  /** CRC-32 (as `.idx` uses it) of `bytes`, continuing from `seed` (default 0). Unsigned. */
  crc32(bytes: Uint8Array, seed?: number): number;
  /** Whether `length` bytes from `aStart` and from `bStart` on are the same, compared natively. */
  equal(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean;
}

/** Bytes that one part of {@link Codec.deflateParts} compresses. */
export const deflatePiece: number = 128 * 1024;

/** One zlib stream at a time, fed in pieces. Holds native memory: {@link Inflater.close} it. */
export interface Inflater {
  /** Forgets the current stream and begins a new one. */
  reset(): void;
  /**
   * Inflates from `input[inputStart..inputEnd)` to `output[outputStart..outputEnd)` until one of them is used up or
   * the stream ends.
   *
   * @throws {CodecError} for data that is no zlib stream or whose checksum is wrong. The inflater must then be reset.
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
 * What one step did. The object is reused by the next step of the same inflater: read it at once.
 * A stream is known to have ended when input is left over while output space is left over too.
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
  /** The 20 bytes; ends the computation. */
  digest(): Uint8Array;
}

/** Data that does not inflate. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}
