/** Returns `buffers` without their first `bytes` bytes, and without empty buffers at the front. */
export function withoutFirst(buffers: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let index = 0;
  let left = bytes;
  for (let first = buffers[0]; first !== undefined && left >= first.length; first = buffers[index]) {
    left -= first.length;
    index += 1;
  }
  const partly = buffers[index];
  if (partly === undefined || left === 0) return buffers.slice(index);
  return [partly.subarray(left), ...buffers.slice(index + 1)];
}

/** Returns the number of bytes in all buffers. */
export function byteLength(buffers: readonly Uint8Array[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.length, 0);
}

/** Joins buffers in a new one. */
export function joined(buffers: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(byteLength(buffers));
  let at = 0;
  for (const buffer of buffers) {
    whole.set(buffer, at);
    at += buffer.length;
  }
  return whole;
}
