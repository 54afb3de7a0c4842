import type {
  Bucket,
  BucketBody,
  BucketObject,
  BucketObjectBody,
  BucketPart,
  BucketRange,
  BucketUpload,
  PiecedBody,
} from '../bucket/bucket.ts';

/** `abandon` aborts the upload of another process. */
export type BucketOperation = 'put' | 'get' | 'head' | 'delete' | 'create' | 'part' | 'complete' | 'abort' | 'abandon';

/** An operation at its start. */
export interface BucketCall {
  readonly operation: BucketOperation;
  /** The first key of a `delete` of several. */
  readonly key: string;
}

/**
 * A failure of an operation. `refused`: no effect. `lost`: takes effect, but the reply is lost. `cut`: the connection
 * breaks within a body; like `refused` for operations without one.
 */
export type BucketFault = 'refused' | 'lost' | 'cut';

export class BucketFaultError extends Error {
  override readonly name = 'BucketFaultError';
}

/** Wraps a bucket so that some operations fail, for tests. */
export class FaultyBucket implements Bucket<BucketBody> {
  /** All operations so far, including failed ones. */
  readonly calls: BucketCall[] = [];
  readonly #bucket: Bucket<BucketBody>;
  readonly #fault: (call: BucketCall) => BucketFault | undefined;

  /** @param fault decides at the start of each operation if it fails. */
  constructor(bucket: Bucket | Bucket<PiecedBody>, fault: (call: BucketCall) => BucketFault | undefined) {
    this.#bucket = bucket;
    this.#fault = fault;
  }

  async put(key: string, value: BucketBody, options: { readonly onlyIf: Headers }): Promise<BucketObject | null> {
    return this.#do('put', key, () => this.#bucket.put(key, value, options), value);
  }

  async get(key: string, options?: { readonly range: BucketRange }): Promise<BucketObjectBody | null> {
    const fault = this.#begin('get', key);
    if (fault === 'refused' || fault === 'lost') throw new BucketFaultError(`get ${fault}`);
    const object = await this.#bucket.get(key, options);
    if (object === null || fault === undefined) return object;
    const half = Math.floor((options?.range.length ?? object.size) / 2);
    return { size: object.size, body: cutBody(object.body, half) };
  }

  async head(key: string): Promise<BucketObject | null> {
    return this.#do('head', key, () => this.#bucket.head(key));
  }

  async delete(keys: string[]): Promise<void> {
    return this.#do('delete', keys[0] ?? '', () => this.#bucket.delete(keys));
  }

  async createMultipartUpload(key: string): Promise<BucketUpload<BucketBody>> {
    const upload = await this.#do('create', key, () => this.#bucket.createMultipartUpload(key));
    return {
      uploadPart: (number: number, value: BucketBody) =>
        this.#do('part', key, () => upload.uploadPart(number, value), value),
      complete: (parts: BucketPart[]) => this.#do('complete', key, () => upload.complete(parts)),
      abort: () => this.#do('abort', key, () => upload.abort()),
    };
  }

  get abortUpload(): Bucket['abortUpload'] {
    const abort = this.#bucket.abortUpload;
    return abort && ((key) => this.#do('abandon', key, () => abort(key)));
  }

  #begin(operation: BucketOperation, key: string): BucketFault | undefined {
    this.calls.push({ operation, key });
    return this.#fault({ operation, key });
  }

  async #do<T>(operation: BucketOperation, key: string, work: () => Promise<T>, body?: BucketBody): Promise<T> {
    const fault = this.#begin(operation, key);
    if (fault === 'cut' && body instanceof ReadableStream) {
      const reader = body.getReader();
      await reader.read();
      await reader.cancel().catch(() => undefined);
    }
    if (fault === 'refused' || fault === 'cut') throw new BucketFaultError(`${operation} ${fault}`);
    const result = await work();
    if (fault === 'lost') throw new BucketFaultError(`${operation} lost`);
    return result;
  }
}

/** Truncates a body after `length` bytes with a failure. */
function cutBody(body: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let left = length;
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { value, done } = await reader.read();
      if (value !== undefined && left > 0) controller.enqueue(value.slice(0, left));
      left -= value?.length ?? 0;
      if (done || left <= 0) {
        await reader.cancel();
        controller.error(new BucketFaultError('the body was cut'));
      }
    },
    cancel: () => reader.cancel(),
  });
}
