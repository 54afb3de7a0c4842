/** Makes `length` pseudorandom bytes from a seed. */
export function sampleBytes(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state;
  }
  return bytes;
}

/** Tests two arrays for equality; much faster for megabytes than a matcher. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Collects a stream, and copies each chunk as the port demands. */
export async function collected(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk.slice());
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Frames a payload as side-band-64k packets of band 1, literally as gitprotocol-common(5) defines them. */
export function referenceFraming(payload: Uint8Array): Uint8Array {
  const packets: number[] = [];
  for (let at = 0; at < payload.length; at += 65_515) {
    const data = payload.subarray(at, at + 65_515);
    const length = (data.length + 5).toString(16).padStart(4, '0');
    for (const digit of length) packets.push(digit.charCodeAt(0));
    packets.push(1);
    for (const byte of data) packets.push(byte);
  }
  return Uint8Array.from(packets);
}
