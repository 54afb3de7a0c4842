/** The part of an R2 bucket that packs need. A Worker's binding and a test fake both satisfy it. */
export interface Bucket {
  /**
   * Stores a whole object of known length: bytes, or a stream of known length ({@link OpenSizedStream}). With the
   * condition `if-none-match: *`, returns null if the key exists.
   */
  put(key: string, value: BucketBody, options: { readonly onlyIf: Headers }): Promise<BucketObject | null>;
  /** Returns an object or a part of it, or null if it is missing. A range must begin within the object. */
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
  /** Bytes of the whole object, even for a partial read. */
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

/** An upload in parts of equal size. The last part may be smaller; the others have at least 5 MiB. */
export interface BucketUpload {
  /** `partNumber` counts from 1. */
  uploadPart(partNumber: number, value: BucketBody): Promise<BucketPart>;
  complete(parts: BucketPart[]): Promise<BucketObject>;
  abort(): Promise<void>;
}

/**
 * Makes both ends of a stream of `length` bytes. A write resolves once its bytes were consumed, so that the buffer can
 * be reused.
 */
export type OpenSizedStream = (length: number) => {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
};

interface WorkersGlobal {
  readonly FixedLengthStream: new (length: number) => ReturnType<OpenSizedStream>;
}

/** The fixed-length stream of Workers. */
export const openFixedLengthStream: OpenSizedStream = (length) =>
  new (globalThis as unknown as WorkersGlobal).FixedLengthStream(length);
