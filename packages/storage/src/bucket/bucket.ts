/** The part of an object store that packs need. A Worker's R2 binding satisfies it; other stores have an adapter. */
export interface Bucket<Body = StreamedBody> {
  /**
   * Stores a whole object of known length. With the condition `if-none-match: *`, returns null if the key exists. A store
   * may ignore the condition and replace the object: nothing may rely on it.
   */
  put(key: string, value: Body, options: { readonly onlyIf: Headers }): Promise<BucketObject | null>;
  /** Returns an object or a part of it, or null if it is missing. A range must begin within the object. */
  get(key: string, options?: { readonly range: BucketRange }): Promise<BucketObjectBody | null>;
  head(key: string): Promise<BucketObject | null>;
  delete(keys: string[]): Promise<void>;
  createMultipartUpload(key: string): Promise<BucketUpload<Body>>;
  /**
   * Aborts an unfinished upload to this key, which another process may have begun. Absent if the bucket drops unfinished
   * uploads itself.
   */
  readonly abortUpload?: ((key: string) => Promise<void>) | undefined;
}

/** Bytes, or a stream of known length ({@link OpenSizedStream}). */
export type StreamedBody = ReadableStream<Uint8Array> | Uint8Array;

/** Bytes, or many of them in pieces. */
export type PiecedBody = BucketPieces | Uint8Array;

export type BucketBody = StreamedBody | PiecedBody;

/** A body that can be read several times, so that its digest can precede it. */
export interface BucketPieces {
  readonly size: number;
  /** Yields the body in pieces, each valid until the next one is requested. */
  pieces(): Iterable<Uint8Array>;
}

export interface BucketRange {
  readonly offset: number;
  readonly length: number;
}

export interface BucketObject {
  /** Bytes of the whole object, even for a partial read. */
  readonly size: number;
}

export interface BucketObjectBody extends BucketObject {
  /** Preferably a byte stream, which is read with fewer buffers. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface BucketPart {
  readonly partNumber: number;
  readonly etag: string;
}

/** An upload in parts of equal size. The last part may be smaller; the others have at least 5 MiB. */
export interface BucketUpload<Body = StreamedBody> {
  /** `partNumber` counts from 1. */
  uploadPart(partNumber: number, value: Body): Promise<BucketPart>;
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
