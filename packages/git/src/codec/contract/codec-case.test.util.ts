import type { Codec } from '../../ports/codec.ts';

/**
 * One thing that holds for every codec. It throws if it does not. The cases use nothing of a test runner or of a
 * platform, so that they run in a page as well.
 */
export interface CodecCase {
  readonly name: string;
  run(codec: Codec, oracle: CodecOracle): void | Promise<void>;
}

/** Another implementation of what a codec does, which we did not write. */
export interface CodecOracle {
  /** zlib streams of the body, made in as many ways as it knows. */
  streamsOf(body: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Inflates a zlib stream that ends where the bytes end. */
  inflate(stream: Uint8Array): Promise<Uint8Array>;
  sha1(bytes: Uint8Array): Promise<Uint8Array>;
  crc32(bytes: Uint8Array): Promise<number>;
}
