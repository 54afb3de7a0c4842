/** Bytes per chunk of a stream, and per buffer. */
export const chunkSize = 1_048_576;

/** Maximum number of idle buffers: at most 4 MiB, which no memory limit counts. */
const idleMax = 4;

/** Bytes up to which a stream gets a buffer of its size. */
const smallMax = 131_072;

/** Lends buffers of {@link chunkSize} to streams, so that a clone leaves no megabytes to the garbage collector. */
export class ChunkPool {
  readonly #idle: Uint8Array[] = [];

  /** Lends a buffer of at least `size` bytes: a small stream gets a small one, which costs less. */
  take(size: number): Uint8Array {
    return size <= smallMax ? new Uint8Array(size) : (this.#idle.pop() ?? new Uint8Array(chunkSize));
  }

  give(buffer: Uint8Array): void {
    if (buffer.length === chunkSize && this.#idle.length < idleMax) this.#idle.push(buffer);
  }
}

/**
 * Yields `count` chunks of at most `size` bytes, and fills the next one while the consumer uses the last one. Two
 * buffers alternate: a chunk is valid until the consumer requests the next one.
 */
export async function* readAhead(
  count: number,
  pool: ChunkPool,
  fill: (index: number, buffer: Uint8Array) => Promise<Uint8Array>,
  size: number = chunkSize,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (count === 0) return;
  const buffers = count === 1 ? [pool.take(size)] : [pool.take(size), pool.take(size)];
  const begin = (index: number) => {
    const filling = fill(index, buffers[index % 2] as Uint8Array);
    // A failure before anyone awaits it is not unhandled: a later await still gets it.
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
    // A pending read would still write into its buffer.
    await filling.catch(() => undefined);
    for (const buffer of buffers) pool.give(buffer);
  }
}
