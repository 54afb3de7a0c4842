/** Bytes in one stored block (RFC 1951 §3.2.4). */
const blockMax = 0xffff;
/** Bytes that can be added before the sums exceed 32 bits. */
const sumMax = 5552;
const modulus = 65_521;

/**
 * Wraps bytes in a zlib stream without compression (RFC 1950). A mock's content never leaves the machine. Resetting the
 * tables of a compressor for each small object would take much of the time of a large seed.
 */
export function storedZlib(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / blockMax));
  const stream = new Uint8Array(2 + 5 * blocks + bytes.length + 4);
  const view = new DataView(stream.buffer);
  view.setUint16(0, 0x7801);
  let at = 2;
  for (let block = 0; block < blocks; block++) {
    const body = bytes.subarray(block * blockMax, (block + 1) * blockMax);
    view.setUint8(at, block === blocks - 1 ? 1 : 0);
    view.setUint16(at + 1, body.length, true);
    view.setUint16(at + 3, ~body.length, true);
    stream.set(body, at + 5);
    at += 5 + body.length;
  }
  view.setUint32(at, adler32(bytes));
  return stream;
}

/** Computes the checksum of RFC 1950 §8.2. */
function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let start = 0; start < bytes.length; start += sumMax) {
    const end = Math.min(start + sumMax, bytes.length);
    for (let at = start; at < end; at++) high += low += bytes[at] as number;
    low %= modulus;
    high %= modulus;
  }
  return high * 0x1_0000 + low;
}
