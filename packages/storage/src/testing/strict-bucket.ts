import type {
  Bucket,
  BucketObject,
  BucketObjectBody,
  BucketPart,
  BucketRange,
  BucketUpload,
  OpenSizedStream,
  StreamedBody,
} from '../bucket/bucket.ts';
import { joined } from '../packs/buffer-list.ts';

/** An error with R2's number, if R2 has one. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
}

export interface StrictBucketOptions {
  /** Minimum bytes of a part except the last. Default 5 MiB. */
  readonly partMin?: number;
  /** Maximum number of parts. Default 10,000. */
  readonly partsMax?: number;
}

/** Lengths of the bodies of {@link strictSizedStream}, which R2 requires in advance. */
const lengths = new WeakMap<ReadableStream<Uint8Array>, number>();

/**
 * Replaces `FixedLengthStream` of Workers on Node. Consumes bytes after a pause, so that reusing a buffer too early is
 * detected.
 */
export const strictSizedStream: OpenSizedStream = (length) => {
  let left = length;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await pause();
      left -= chunk.length;
      if (left < 0) throw new BucketError(`The body has more than ${length} bytes`);
      controller.enqueue(chunk.slice());
    },
    flush() {
      if (left > 0) throw new BucketError(`The body lacks ${left} of ${length} bytes`);
    },
  });
  lengths.set(readable, length);
  return { readable, writable };
};

/**
 * An object store with R2's rules (docs/design/workers.md, Limits) and a stricter one: keys are never reused, not even
 * after a deletion. Consumes bodies after a pause, so that reusing a buffer too early is detected.
 */
export class StrictBucket implements Bucket {
  readonly #partMin: number;
  readonly #partsMax: number;
  readonly #objects = new Map<string, Uint8Array>();
  readonly #usedKeys = new Set<string>();

  constructor(options: StrictBucketOptions = {}) {
    this.#partMin = options.partMin ?? 5 * 1_048_576;
    this.#partsMax = options.partsMax ?? 10_000;
  }

  /** Keys of all objects. */
  get keys(): readonly string[] {
    return [...this.#objects.keys()];
  }

  async put(
    key: string,
    value: StreamedBody,
    { onlyIf }: { readonly onlyIf?: Headers } = {},
  ): Promise<BucketObject | null> {
    const body = await taken(value);
    if (onlyIf?.get('if-none-match') === '*' && this.#objects.has(key)) return null;
    this.#publish(key, body);
    return { size: body.length };
  }

  /** Checks parts only when the upload is completed. */
  async createMultipartUpload(key: string): Promise<BucketUpload> {
    await pause();
    const parts = new Map<number, Uint8Array>();
    let isOpen = true;
    let isComplete = false;
    const demandOpen = (): void => {
      if (!isOpen) throw new BucketError('10024: the upload does not exist');
    };
    return {
      uploadPart: async (partNumber, value) => {
        const body = await taken(value);
        demandOpen();
        if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > this.#partsMax)
          throw new BucketError('The number of the part is out of range');
        parts.set(partNumber, body);
        return { partNumber, etag: etagOf(partNumber, body) };
      },
      complete: async (named) => {
        await pause();
        demandOpen();
        const body = joined(this.#chosen(named, parts));
        this.#publish(key, body);
        isOpen = false;
        isComplete = true;
        return { size: body.length };
      },
      abort: async () => {
        await pause();
        if (isComplete) throw new BucketError('10024: the upload does not exist');
        isOpen = false;
        parts.clear();
      },
    };
  }

  async head(key: string): Promise<BucketObject | null> {
    await pause();
    const object = this.#objects.get(key);
    return object === undefined ? null : { size: object.length };
  }

  /** Throws for ranges that begin after the object, and truncates those that end after it, like R2. */
  async get(key: string, options: { readonly range?: BucketRange } = {}): Promise<BucketObjectBody | null> {
    await pause();
    const object = this.#objects.get(key);
    if (object === undefined) return null;
    const { offset, length } = options.range ?? { offset: 0, length: Math.max(1, object.length) };
    const isRange = Number.isSafeInteger(offset) && offset >= 0 && Number.isSafeInteger(length) && length >= 1;
    if (!isRange || (offset >= object.length && object.length > 0))
      throw new BucketError('10039: the range is not satisfiable');
    return { size: object.length, body: byteStream(object.subarray(offset, offset + length)) };
  }

  async delete(keys: readonly string[]): Promise<void> {
    await pause();
    for (const key of keys) this.#objects.delete(key);
  }

  #chosen(named: readonly BucketPart[], parts: ReadonlyMap<number, Uint8Array>): readonly Uint8Array[] {
    const bodies = named.map(({ partNumber, etag }) => {
      const body = parts.get(partNumber);
      if (body === undefined || etag !== etagOf(partNumber, body)) throw new BucketError('10025: no such part');
      return body;
    });
    if (bodies.length === 0) throw new BucketError('There are no parts');
    if (named.some(({ partNumber }, i) => i > 0 && partNumber <= (named[i - 1]?.partNumber ?? 0)))
      throw new BucketError('The parts are not in order');
    const size = bodies[0]?.length ?? 0;
    bodies.forEach((body, i) => {
      const isLast = i === bodies.length - 1;
      if (!isLast && body.length < this.#partMin) throw new BucketError('10011: a part is too small');
      if (isLast ? body.length > size : body.length !== size) throw new BucketError('10048: parts differ in size');
    });
    return bodies;
  }

  #publish(key: string, body: Uint8Array): void {
    if (this.#usedKeys.has(key)) throw new BucketError(`The key ${key} was used before`);
    this.#usedKeys.add(key);
    this.#objects.set(key, body);
  }
}

function etagOf(partNumber: number, body: Uint8Array): string {
  return `${partNumber}-${body.length}`;
}

/** Makes a byte stream, also for readers with their own buffers, in pieces of odd sizes. */
function byteStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      await pause();
      if (at === bytes.length) {
        controller.close();
        controller.byobRequest?.respond(0);
        return;
      }
      const piece = bytes.slice(at, at + 100_003);
      at += piece.length;
      controller.enqueue(piece);
    },
  });
}

async function taken(value: StreamedBody): Promise<Uint8Array> {
  await pause();
  if (value instanceof Uint8Array) return value.slice();
  const length = value instanceof ReadableStream ? lengths.get(value) : undefined;
  if (!(value instanceof ReadableStream) || length === undefined)
    throw new BucketError('The length of the body is not known');
  const body = new Uint8Array(length);
  let at = 0;
  for await (const chunk of value) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}

/** Lets everything run that is ready. A timer would cost a millisecond each time. */
async function pause(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setImmediate(resolve));
}
