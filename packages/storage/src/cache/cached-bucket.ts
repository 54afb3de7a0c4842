import { createHash } from 'node:crypto';
import type { Bucket, BucketBody, BucketObjectBody, BucketRange, PiecedBody } from '../bucket/bucket.ts';
import { blockSize, cutBlocks } from './cut-blocks.ts';
import type { DiskCache } from './disk-cache.ts';

/** Bytes of a number in front of each block: the size of the object. */
const headSize = 8;

/** Bytes of an object, and where they begin. */
interface Piece {
  readonly size: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * Reads objects through a cache on disk, in blocks, and keeps what is put as a whole, since it is read soon. Each works
 * because no key ever gets another object. A read of more than a sixteenth of the cache adds nothing to it, so that a
 * clone does not evict everything else.
 */
export function cachedBucket<Body extends BucketBody>(bucket: Bucket<Body>, cache: DiskCache): Bucket<Body> {
  return {
    async put(key, value, options) {
      const stored = await bucket.put(key, value, options);
      if (stored !== null && stored.size <= cache.share && !(value instanceof ReadableStream))
        await keepWhole(cache, key, value, stored.size);
      return stored;
    },
    get: async (key, options) => toBody(readPieces(bucket, cache, key, options?.range), options?.range),
    head: async (key) => bucket.head(key),
    async delete(keys) {
      await Promise.all(keys.map(async (key) => cache.drop(nameOf(key, ''))));
      await bucket.delete(keys);
    },
    createMultipartUpload: async (key) => bucket.createMultipartUpload(key),
    abortUpload: bucket.abortUpload,
  };
}

async function keepWhole(cache: DiskCache, key: string, body: PiecedBody, size: number): Promise<void> {
  const pieces = body instanceof Uint8Array ? [body] : body.pieces();
  for await (const { number, block } of cutBlocks(pieces, size, 0)) await keep(cache, key, number, block, size);
}

async function keep(cache: DiskCache, key: string, number: number, block: Uint8Array, size: number): Promise<void> {
  const head = new DataView(new ArrayBuffer(headSize));
  head.setBigUint64(0, BigInt(size));
  await cache.put(nameOf(key, number), [new Uint8Array(head.buffer), block]);
}

/** Yields blocks and other pieces from the first block of the range on, at least one; none if there is no object. */
async function* readPieces(
  bucket: Pick<Bucket, 'get'>,
  cache: DiskCache,
  key: string,
  range: BucketRange | undefined,
): AsyncGenerator<Piece, void, undefined> {
  const first = Math.floor((range?.offset ?? 0) / blockSize);
  let end = range === undefined ? Infinity : Math.ceil((range.offset + range.length) / blockSize);
  for (let number = first; number < end;) {
    const content = await cache.get(nameOf(key, number));
    if (content !== undefined) {
      const size = Number(new DataView(content.buffer, content.byteOffset).getBigUint64(0));
      end = Math.min(end, Math.ceil(size / blockSize));
      yield { size, at: number * blockSize, bytes: content.subarray(headSize) };
      number += 1;
      continue;
    }
    let next = number + 1;
    const last = end === Infinity ? next : end;
    while (next < last && !cache.has(nameOf(key, next))) next += 1;
    const run = end === Infinity ? undefined : { offset: number * blockSize, length: (next - number) * blockSize };
    const object = await bucket.get(key, ...(run === undefined ? [] : [{ range: run }]));
    if (object === null) return;
    const isKept = Math.min(object.size, (end - first) * blockSize) <= cache.share;
    const from = number;
    end = Math.min(end, Math.ceil(object.size / blockSize));
    number = run === undefined ? end : Math.min(next, end);
    let at = 0;
    try {
      for await (const piece of isKept ? keptBlocks(cache, key, object, from) : passedChunks(object, from)) {
        at = piece.at + piece.bytes.length;
        yield piece;
      }
    } finally {
      // The reader may leave before the first byte. Then the body would keep its connection.
      await object.body.cancel().catch(() => undefined);
    }
    if (at !== Math.min(number * blockSize, object.size)) throw new Error(`The body of ${key} ended at ${at}`);
  }
}

async function* keptBlocks(
  cache: DiskCache,
  key: string,
  { size, body }: BucketObjectBody,
  first: number,
): AsyncGenerator<Piece, void, undefined> {
  // Even an empty object has a size.
  yield { size, at: first * blockSize, bytes: new Uint8Array(0) };
  for await (const { number, block } of cutBlocks(body, size, first)) {
    await keep(cache, key, number, block, size);
    yield { size, at: number * blockSize, bytes: block };
  }
}

async function* passedChunks({ size, body }: BucketObjectBody, first: number): AsyncGenerator<Piece, void, undefined> {
  let at = first * blockSize;
  yield { size, at, bytes: new Uint8Array(0) };
  for await (const bytes of body) {
    yield { size, at, bytes };
    at += bytes.length;
  }
}

async function toBody(
  pieces: AsyncGenerator<Piece, void, undefined>,
  range: BucketRange | undefined,
): Promise<BucketObjectBody | null> {
  const first = await pieces.next();
  if (first.done === true) return null;
  const { offset, length } = range ?? { offset: 0, length: Infinity };
  const wanted = ({ at, bytes }: Piece): Uint8Array =>
    bytes.subarray(Math.max(0, offset - at), Math.max(0, offset + length - at));
  let ready: IteratorResult<Piece, void> | undefined = first;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const next = ready ?? (await pieces.next());
          ready = undefined;
          if (next.done === true) return controller.close();
          const bytes = wanted(next.value);
          if (bytes.length > 0) return controller.enqueue(bytes);
        }
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
  return { size: first.value.size, body };
}

function nameOf(key: string, number: number | ''): string {
  return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}-${number}`;
}
