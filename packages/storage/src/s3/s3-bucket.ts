import { StorageError } from '@packhouse/git';
import type { Bucket, BucketObjectBody, BucketRange, PiecedBody } from '../bucket/bucket.ts';
import type { HttpReply } from './http-exchange.ts';
import { S3Client, type S3ClientOptions } from './s3-client.ts';
import { listKeys } from './list-keys.ts';
import { isMissing } from './s3-error.ts';
import { abortRecorded, beginUpload, sizeOf } from './s3-upload.ts';

/** A bucket of an S3-compatible store. Close it at the end. */
export interface S3Bucket extends Bucket<PiecedBody> {
  /**
   * Yields the keys of all objects, in pages. The service lists only marks, when a database gets its place; all else is
   * for commands.
   *
   * @param options.beginning Only keys that begin so. Default: all.
   * @param options.pageSize Most keys of a page. Default 1,000.
   */
  keys(options?: { readonly beginning?: string; readonly pageSize?: number }): AsyncIterable<readonly string[]>;
  /** Closes connections. */
  close(): void;
}

/**
 * Opens a bucket, without I/O. It takes large bodies as pieces, to sign their SHA-256. It ignores the condition of `put`,
 * which not every store knows.
 *
 * Its errors are `S3Error`, which the pack store retries, and `S3Refusal`, which it does not. Neither has
 * credentials or texts of the store.
 *
 * @throws {RangeError} for invalid options.
 */
export function s3Bucket(options: S3ClientOptions): S3Bucket {
  const client = new S3Client(options);
  const get: S3Bucket['get'] = async (key, options) => {
    const range = options?.range;
    const found = await unlessMissing(client.call({ method: 'GET', key, ...rangeOf(range) }));
    return found === null ? null : objectBody(key, found, range);
  };
  return {
    put: async (key, body) => {
      await client.run({ method: 'PUT', key, body });
      return { size: sizeOf(body) };
    },
    get,
    head: async (key) => {
      const found = await unlessMissing(client.run({ method: 'HEAD', key }));
      if (found !== null) return { size: sizeFrom(key, found.header('content-length')) };
      // The 404 of a proxy whose store is away looks the same. That of a read has a code.
      const object = await get(key, { range: { offset: 0, length: 1 } });
      await object?.body.cancel();
      return object === null ? null : { size: object.size };
    },
    // One request each: they are free, run at once, and every store has them.
    delete: async (keys) => {
      await Promise.all(keys.map(async (key) => unlessMissing(client.run({ method: 'DELETE', key }))));
    },
    createMultipartUpload: async (key) => beginUpload(client, key),
    abortUpload: async (key) => abortRecorded(client, key),
    keys: ({ beginning = '', pageSize = 1_000 } = {}) =>
      listKeys(client, { prefix: options.prefix ?? '', beginning, pageSize }),
    close: () => client.close(),
  };
}

function rangeOf(range: BucketRange | undefined): { readonly range?: string } {
  return range === undefined ? {} : { range: `bytes=${range.offset}-${range.offset + range.length - 1}` };
}

async function objectBody(key: string, reply: HttpReply, range: BucketRange | undefined): Promise<BucketObjectBody> {
  const part = /^bytes (\d+)-\d+\/(\d+)$/.exec(reply.header('content-range') ?? '');
  try {
    if (range === undefined && reply.status === 200)
      return { size: sizeFrom(key, reply.header('content-length')), body: reply.body };
    if (range !== undefined && Number(part?.[1]) === range.offset)
      return { size: sizeFrom(key, part?.[2]), body: reply.body };
    throw new StorageError(`S3 answered GET ${key} with another part than was asked for`);
  } catch (error) {
    await reply.body.cancel().catch(() => undefined);
    throw error;
  }
}

function sizeFrom(key: string, text: string | undefined): number {
  const size = text === undefined || !/^\d{1,16}$/.test(text) ? Number.NaN : Number(text);
  if (!Number.isSafeInteger(size)) throw new StorageError(`S3 gave no size of ${key}`);
  return size;
}

/** @returns null if there is no such object. A bucket that is missing is another error. */
async function unlessMissing(replying: Promise<HttpReply>): Promise<HttpReply | null> {
  try {
    return await replying;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
