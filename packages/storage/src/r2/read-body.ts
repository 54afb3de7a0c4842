/** Bytes that are read at a time. */
const scratchSize = 262_080;
/** Buffers that lie ready: 1.5 MiB. */
const idleMax = 6;

/** Buffers that bodies are read into, so that reads leave no megabytes to collect. */
export class Scratches {
  readonly #idle: ArrayBuffer[] = [];

  take(): ArrayBuffer {
    return this.#idle.pop() ?? new ArrayBuffer(scratchSize);
  }

  give(buffer: ArrayBuffer): void {
    // A broken stream may have kept the memory.
    if (buffer.byteLength === scratchSize && this.#idle.length < idleMax) this.#idle.push(buffer);
  }
}

/**
 * The bytes of a byte stream in pieces, each valid until the next one is asked for. Cancels the body at the end, which is
 * after `length` bytes at the latest: a read that finds only the end would not give its buffer back.
 */
export async function* readBody(
  body: ReadableStream<Uint8Array>,
  scratches: Scratches,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body.getReader({ mode: 'byob' });
  let buffer = scratches.take();
  let left = length;
  try {
    for (;;) {
      // Few large reads: each one is a step from native code and back.
      const { value, done } = await reader.read(new Uint8Array(buffer), { min: buffer.byteLength });
      if (value !== undefined) {
        buffer = value.buffer;
        left -= value.length;
        if (value.length > 0) yield value;
      }
      if (done || left <= 0) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    scratches.give(buffer);
  }
}
