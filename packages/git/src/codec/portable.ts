import { crc32Final, crc32Update } from '@foxglove/crc';
import { sha1 } from '@noble/hashes/legacy.js';
import type { Codec } from '../ports/codec.ts';
import { deflateParts } from './deflate-parts.ts';
import { PortableDeflater, streamDeflater } from './portable/deflater.ts';
import { PortableInflater } from './portable/inflater.ts';

/**
 * The {@link Codec} of browsers and of any other place that runs JavaScript: no module of Node, no WebAssembly, nothing
 * asynchronous. Where there is `node:zlib`, the codec on it is several times faster (docs/decisions/0040).
 */
export function portableCodec(): Codec {
  const deflater = new PortableDeflater();
  return {
    inflater: () => new PortableInflater(),
    deflate: (bytes, level) => deflater.deflate(bytes, level),
    deflateParts: (bytes, level) => deflateParts(streamDeflater(level), bytes),
    deflater: streamDeflater,
    sha1: () => sha1.create(),
    sha1Of(...parts) {
      const running = sha1.create();
      for (const part of parts) running.update(part);
      return running.digest();
    },
    // The running value of the library is the complement of the CRC so far.
    crc32: (bytes, seed = 0) => crc32Final(crc32Update(~seed, bytes)),
    equal: bytesEqual,
  };
}

/** Tests `length` bytes from `aStart` and from `bStart` on for equality; false if either has fewer. */
function bytesEqual(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean {
  if (aStart + length > a.length || bStart + length > b.length) return false;
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}
