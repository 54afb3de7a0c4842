import { createHash } from 'node:crypto';
import { constants, crc32, deflateSync, inflateSync, type ZlibOptions } from 'node:zlib';
import type { CodecOracle } from './codec-case.test.util.ts';

const ways: readonly ZlibOptions[] = [
  ...[0, 1, 6, 9].map((level) => ({ level })),
  { strategy: constants.Z_FIXED },
  { strategy: constants.Z_HUFFMAN_ONLY },
  { strategy: constants.Z_RLE },
  { windowBits: 9, memLevel: 1 },
];

/** zlib itself, and OpenSSL: for all runtimes that have the modules of Node. */
export const zlibOracle: CodecOracle = {
  streamsOf: async (body) => ways.map((options) => deflateSync(body, options)),
  inflate: async (stream) => inflateSync(stream),
  sha1: async (bytes) => createHash('sha1').update(bytes).digest(),
  crc32: async (bytes) => crc32(bytes),
};
