/** Bytes of an object per entry of the cache; the last block is shorter. */
export const blockSize = 262_144;

/** Returns the size of a block of an object of `size` bytes. */
export function sizeOfBlock(number: number, size: number): number {
  return Math.min(blockSize, size - number * blockSize);
}

/**
 * Yields the whole blocks of an object of `size` bytes, from the block `first` on, out of chunks that begin with it. The
 * blocks share no memory.
 */
export async function* cutBlocks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  size: number,
  first: number,
): AsyncGenerator<{ readonly number: number; readonly block: Uint8Array }, void, undefined> {
  let number = first;
  let block = new Uint8Array(Math.max(0, sizeOfBlock(number, size)));
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length && block.length > 0;) {
      const part = chunk.subarray(at, at + block.length - filled);
      block.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < block.length) continue;
      yield { number, block };
      number += 1;
      block = new Uint8Array(Math.max(0, sizeOfBlock(number, size)));
      filled = 0;
    }
  }
}
