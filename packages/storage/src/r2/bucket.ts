/** The least of an R2 bucket that packs need: a binding of a Worker fits, and so does a fake for tests. */
export interface Bucket {
  /**
   * Stores an object whole, its length known: bytes, or a stream that knows it ({@link OpenSizedStream}). With the
   * condition `if-none-match: *` the answer is null where the key is taken.
   */
  put(key: string, value: BucketBody, options: { readonly onlyIf: Headers }): Promise<BucketObject | null>;
  /** An object or a part of it, null where there is none. A range must begin within the object. */
  get(key: string, options?: { readonly range: BucketRange }): Promise<BucketObjectBody | null>;
  head(key: string): Promise<BucketObject | null>;
  delete(keys: string[]): Promise<void>;
  createMultipartUpload(key: string): Promise<BucketUpload>;
}

export type BucketBody = ReadableStream<Uint8Array> | Uint8Array;

export interface BucketRange {
  readonly offset: number;
  readonly length: number;
}

export interface BucketObject {
  /** Bytes of the whole object, whatever part of it was asked for. */
  readonly size: number;
}

export interface BucketObjectBody extends BucketObject {
  /** A byte stream. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface BucketPart {
  readonly partNumber: number;
  readonly etag: string;
}

/** An upload in parts of one size, the last one smaller or equal; at least 5 MiB but for the last. */
export interface BucketUpload {
  /** `partNumber` counts from 1. */
  uploadPart(partNumber: number, value: BucketBody): Promise<BucketPart>;
  complete(parts: BucketPart[]): Promise<BucketObject>;
  abort(): Promise<void>;
}

/** Two ends of a stream of `length` bytes. A write resolves once its bytes were taken, so that they may be reused. */
export type OpenSizedStream = (length: number) => {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
};

interface WorkersGlobal {
  readonly FixedLengthStream: new (length: number) => ReturnType<OpenSizedStream>;
}

/** The stream of that kind that Workers have. */
export const openFixedLengthStream: OpenSizedStream = (length) =>
  new (globalThis as unknown as WorkersGlobal).FixedLengthStream(length);
