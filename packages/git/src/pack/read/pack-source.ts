import { defaultPageSize } from './page-cache.ts';

/** Most bytes that may be a view of a page: longer ranges stay what they are. */
export const viewMax: number = defaultPageSize;

/** The bytes of one pack file, at once where they are at hand. */
export interface PackSource {
  /**
   * The bytes if they are at hand; they must not be changed. Up to {@link viewMax} bytes are valid until the next `await`.
   */
  peek(offset: number, length: number): Uint8Array | undefined;
  /**
   * Brings the same bytes to where `peek` finds them, or answers them itself where they are too many for that. Others
   * may have driven them out again before the caller looks; then it loads again. Rejects as the store does.
   */
  load(offset: number, length: number): Promise<Uint8Array | undefined>;
}

/** Makes a source of a pack in memory, in parts of `partSize` bytes, except the last one. */
export function memorySource(parts: readonly Uint8Array[], partSize: number): PackSource {
  const peek = (offset: number, length: number): Uint8Array => {
    const number = Math.floor(offset / partSize);
    const part = parts[number] ?? new Uint8Array(0);
    const at = offset - number * partSize;
    if (at + length <= part.length) return part.subarray(at, at + length);
    const joined = new Uint8Array(length);
    for (let done = 0, from = offset; done < length; from = offset + done) {
      const next = parts[Math.floor(from / partSize)];
      const piece = next?.subarray(from % partSize, (from % partSize) + length - done);
      if (piece === undefined || piece.length === 0) throw new RangeError('beyond the end of the pack');
      joined.set(piece, done);
      done += piece.length;
    }
    return joined;
  };
  return { peek, load: async (offset, length) => peek(offset, length) };
}
