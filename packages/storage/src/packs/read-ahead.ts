/** Size of a chunk of a stream, and of the buffers behind it. */
export const chunkSize = 1_048_576;

/** Buffers that lie ready for the next stream: at most 4 MiB, which no limit counts. */
const idleMax = 4;

/** Buffers of {@link chunkSize} that streams borrow, so that a clone leaves no megabytes to collect. */
export class ChunkPool {
  readonly #idle: Uint8Array[] = [];

  take(): Uint8Array {
    return this.#idle.pop() ?? new Uint8Array(chunkSize);
  }

  give(buffer: Uint8Array): void {
    if (this.#idle.length < idleMax) this.#idle.push(buffer);
  }
}

/**
 * Yields `count` chunks, filling the next while the consumer works on the last. Two buffers take turns: a chunk is
 * valid until the next one is asked for.
 */
export async function* readAhead(
  count: number,
  pool: ChunkPool,
  fill: (index: number, buffer: Uint8Array) => Promise<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (count === 0) return;
  const buffers = count === 1 ? [pool.take()] : [pool.take(), pool.take()];
  const begin = (index: number) => {
    const filling = fill(index, buffers[index % 2] as Uint8Array);
    // It may fail while nobody waits for it; whoever does later still sees it.
    filling.catch(() => undefined);
    return filling;
  };
  let filling = begin(0);
  try {
    for (let index = 0; index < count; index++) {
      const chunk = await filling;
      if (index + 1 < count) filling = begin(index + 1);
      yield chunk;
    }
  } finally {
    // A read under way would still write into its buffer.
    await filling.catch(() => undefined);
    for (const buffer of buffers) pool.give(buffer);
  }
}
