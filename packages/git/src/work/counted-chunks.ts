import { cost } from './costs.ts';
import type { Work } from './scheduler.ts';

/** The same chunks, each counted as bytes to parse. */
export async function* countedChunks(
  chunks: AsyncIterable<Uint8Array>,
  work: Work,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    if (work.spend(cost.parsed, chunk.length)) await work.yield();
    yield chunk;
  }
}
