/** Bytes per read. */
const scratchSize = 262_080;
/** Maximum number of idle buffers: 1.5 MiB. */
const idleMax = 6;

/** Buffers for reading bodies, so that reads leave no megabytes to the garbage collector. */
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
 * Yields the bytes of a stream in pieces, each valid until the next one is requested. Cancels the body after `length`
 * bytes at the latest, since a read at the end of a byte stream would not return its buffer.
 */
export async function* readBody(
  body: ReadableStream<Uint8Array>,
  scratches: Scratches,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = byteReader(body);
  if (reader === undefined) yield* readChunks(body.getReader(), length);
  else yield* readBytes(reader, scratches, length);
}

/** Returns undefined if the stream has no byte reader. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

async function* readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  length: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let left = length; left > 0;) {
      const { value, done } = await reader.read();
      if (done) return;
      left -= value.length;
      if (value.length > 0) yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* readBytes(
  reader: ReadableStreamBYOBReader,
  scratches: Scratches,
  length: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let buffer = scratches.take();
  let left = length;
  try {
    for (;;) {
      // Reads few large pieces, since each read crosses into native code and back.
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
