import { objectIdBytes } from '../object/object-id.ts';
import type { Codec, Sha1 } from '../ports/codec.ts';

/** Bytes before the first entry. */
export const packHeaderSize = 12;

/** `PACK`, version 2, and how many entries follow. */
export function packHeader(count: number): Uint8Array {
  const bytes = Uint8Array.of(0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 0);
  new DataView(bytes.buffer).setUint32(8, count);
  return bytes;
}

/** Takes the bytes of a pack in order, and knows their SHA-1 for the trailer. */
export class PackSum {
  readonly #sha1: Sha1;
  /** Bytes taken so far: the offset of what comes next. */
  size = 0;

  constructor(codec: Codec) {
    this.#sha1 = codec.sha1();
  }

  /** Counts and hashes bytes that are sent; answers them. */
  pass(bytes: Uint8Array): Uint8Array {
    this.#sha1.update(bytes);
    this.size += bytes.length;
    return bytes;
  }

  /** The 20 bytes that end the pack. */
  trailer(): Uint8Array {
    this.size += objectIdBytes;
    return this.#sha1.digest();
  }
}
