import type { CodecOracle } from './codec-case.test.util.ts';

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array): Promise<Uint8Array> {
  const body = new Blob([bytes as BlobPart]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** The codecs of a browser. */
export const webOracle: CodecOracle = {
  streamsOf: async (body) => [await through(new CompressionStream('deflate'), body)],
  inflate: (stream) => through(new DecompressionStream('deflate'), stream),
  sha1: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-1', bytes as BufferSource)),
  // It stands in the last 8 bytes of gzip, before the length (RFC 1952 §2.3.1).
  async crc32(bytes) {
    const { buffer, byteLength } = await through(new CompressionStream('gzip'), bytes);
    return new DataView(buffer).getUint32(byteLength - 8, true);
  },
};
