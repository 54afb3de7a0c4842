/** Bytes of a body in a report. */
export const bodyMax = 16_384;
/** Further bytes kept until secrets are removed: a cut could otherwise leave a part of one. Tokens are shorter. */
export const margin = 4096;

const keptMax = bodyMax + margin;

/** Bytes of the end of what a command writes. */
const endMax = 4096;

/** A part of a body, with {@link margin} on the side where it was cut. */
export interface BodyPart {
  /** The length of the whole body so far. */
  readonly bytes: number;
  readonly ended: boolean;
  readonly part: Uint8Array;
  /** Which part it is. */
  readonly which: 'start' | 'end';
}

/** A bounded copy of the start of a body. */
export class BodyCopy implements BodyPart {
  readonly which = 'start';
  bytes = 0;
  ended = false;
  #kept = new Uint8Array(0);
  #length = 0;

  get part(): Uint8Array {
    return this.#kept.subarray(0, this.#length);
  }

  add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    const part = chunk.subarray(0, keptMax - this.#length);
    const length = this.#length + part.byteLength;
    if (length > this.#kept.byteLength) {
      const grown = new Uint8Array(Math.min(keptMax, Math.max(length, 2 * this.#length)));
      grown.set(this.part);
      this.#kept = grown;
    }
    this.#kept.set(part, this.#length);
    this.#length = length;
  }
}

/** Copies the start of a whole body. */
export function copyOf(body: string | Uint8Array): BodyCopy {
  const copy = new BodyCopy();
  copy.add(typeof body === 'string' ? Buffer.from(body.slice(0, keptMax)) : body);
  if (typeof body === 'string') copy.bytes = Buffer.byteLength(body);
  copy.ended = true;
  return copy;
}

/** Copies the end of what a command wrote. */
export function endOf(written: Uint8Array): BodyPart {
  const part = written.slice(Math.max(0, written.byteLength - endMax - margin));
  return { bytes: written.byteLength, ended: true, part, which: 'end' };
}

/**
 * Returns a stream of the same bytes, which adds those that pass by to the copy. It reads a chunk only when its reader
 * asks for one, so that nothing is buffered. Its cancellation cancels the source, and it ends and fails with the source,
 * also without a reader.
 */
export function passingBy(source: ReadableStream<Uint8Array>, copy: BodyCopy): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader();
  let isReading = false;
  let hasEnded = false;
  /** The returned stream is closed or cancelled. */
  let isOver = false;
  const close = (controller: ReadableStreamDefaultController): void => {
    if (isOver) return;
    isOver = true;
    copy.ended = true;
    controller.close();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        const end = (): void => {
          hasEnded = true;
          // While it reads, a chunk may be on its way that comes before the end.
          if (!isReading) close(controller);
        };
        reader.closed.then(end, (error: unknown) => controller.error(error));
      },
      async pull(controller) {
        isReading = true;
        const { done, value } = await reader.read();
        isReading = false;
        if (!done) {
          copy.add(value);
          controller.enqueue(value as Uint8Array<ArrayBuffer>);
        }
        if (done || hasEnded) close(controller);
      },
      async cancel(reason) {
        isOver = true;
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
