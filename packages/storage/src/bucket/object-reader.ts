import { StorageError } from '@packhouse/git';
import type { Bucket, BucketObjectBody, BucketRange } from './bucket.ts';
import { readBody, Scratches } from './read-body.ts';
import { Attempts, retried, type Sleep } from './retry.ts';
import type { Traffic } from './traffic.ts';

export interface ObjectRead {
  /** Stored bytes from `start` to `end` (exclusive). Default: all. */
  readonly stretch?: { readonly start: number; readonly end: number };
  /** Receives the object size before the first piece. If it throws, the read ends. */
  readonly began?: (size: number) => void;
  /** True if the caller holds a read slot. Otherwise the reader takes one until the reply begins. Default false. */
  readonly hasPlace?: boolean;
}

/** Reads objects of a bucket. Resumes an interrupted read where it broke, at most three times in a row. */
export class ObjectReader {
  readonly #bucket: Pick<Bucket, 'get' | 'head'>;
  readonly #traffic: Traffic;
  readonly #sleep: Sleep;
  readonly #scratches = new Scratches();

  constructor(bucket: Pick<Bucket, 'get' | 'head'>, traffic: Traffic, sleep: Sleep) {
    this.#bucket = bucket;
    this.#traffic = traffic;
    this.#sleep = sleep;
  }

  /** Returns the size of the object in bytes, or null if it is missing. */
  async size(key: string): Promise<number | null> {
    return retried(this.#sleep, () => this.head(key));
  }

  /** Does the same without retries. */
  async head(key: string): Promise<number | null> {
    this.#traffic.count('classB');
    return (await this.#bucket.head(key))?.size ?? null;
  }

  /** Returns the body of a whole object, which the caller must read or cancel. */
  async body(key: string): Promise<ReadableStream<Uint8Array>> {
    return (await retried(this.#sleep, () => this.#queued(key))).body;
  }

  /**
   * Yields stored bytes in pieces, each valid until the next one is requested.
   *
   * @throws {StorageError} if the object is missing, or ends too early.
   */
  async *read(
    key: string,
    { stretch, began, hasPlace = false }: ObjectRead = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const attempts = new Attempts(this.#sleep);
    let at = stretch?.start ?? 0;
    let end = stretch?.end;
    while (end === undefined || at < end) {
      try {
        const range = end === undefined ? undefined : { offset: at, length: end - at };
        const object = await (hasPlace ? this.#get(key, range) : this.#queued(key, range));
        end ??= object.size;
        if (end > object.size) await tooShort(key, object, end);
        began?.(object.size);
        for await (const piece of readBody(object.body, this.#scratches, end - at)) {
          at += piece.length;
          if (at > end) throw new StorageError(`The bucket gave more of ${key} than was asked for`);
          attempts.succeeded();
          yield piece;
        }
        if (at < end) throw new Error(`The body of ${key} ended at ${at}, before ${end}`);
      } catch (error) {
        await attempts.failed(error);
      }
    }
  }

  /** A slow body must not hold a slot: its reader may need another read before it continues. */
  async #queued(key: string, range?: BucketRange): Promise<BucketObjectBody> {
    return this.#traffic.reading(() => this.#get(key, range));
  }

  async #get(key: string, range?: BucketRange): Promise<BucketObjectBody> {
    this.#traffic.count('classB');
    const object = await this.#bucket.get(key, ...(range === undefined ? [] : [{ range }]));
    if (object === null) throw new StorageError(`There is no ${key}`);
    return object;
  }
}

async function tooShort(key: string, object: BucketObjectBody, end: number): Promise<never> {
  await object.body.cancel().catch(() => undefined);
  throw new StorageError(`${key} ends at ${object.size}, before ${end}`);
}
